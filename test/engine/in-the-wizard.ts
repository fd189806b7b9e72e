import type { Stage } from './stage.ts';

/** Somebody at the last question of the project wizard. */
export async function atTheLastQuestion(stage: Stage) {
  const bot = stage.start();
  const anna = stage.person(bot);
  await anna.commands('start');
  await anna.presses('Проекты');
  await anna.presses('Создать проект');
  await anna.says('Ромашка');
  await anna.says('ООО «Ромашка»');
  await anna.says('Доставка цветов');
  return { bot, anna };
}

/** Somebody who looks at «Создаю проект…», while the service takes its time. */
export async function whileSaving(stage: Stage) {
  const { bot, anna } = await atTheLastQuestion(stage);
  stage.ports.saveProject.isSlow();
  await anna.says('https://romashka.ru');
  return { bot, anna, save: stage.ports.saveProject.calls[0]! };
}
