import { expect } from 'vitest';
import { buysAndGoesOn } from '../support/buys.ts';
import type { ScriptedPerson } from '../support/person.ts';
import { LONG, type PlayedBot } from '../support/played-bot.ts';
import { refusing } from '../support/refusing-database.ts';
import { workbookOf } from '../support/workbook-of.ts';
import { type PipelineWay, pipelineSteps } from './played-walk-pipeline-steps.ts';

type Filler = ScriptedPerson & {
  projectId: number;
  categoryId: number;
  company: string;
  balance(): Promise<number | undefined>;
};

/** People who fill in a topic from the checklist of the article pipeline: its description, prices, pictures, phrases. */
export async function playPipelineMaterial(played: PlayedBot, way: PipelineWay): Promise<void> {
  const { bot } = played;
  const { begins, comesBack } = pipelineSteps(played, way);
  await playTopicMaterial(played, way, played.customer);
  await Promise.all([sendsPrices(), choosesPictures()]);

  async function sendsPrices(): Promise<void> {
    const anna = await experienced();
    await anna.presses('Добавить цены');
    await anna.sees('Цен пока нет');
    await anna.presses('К чеклисту');
    await anna.presses('Добавить цены');
    await comesBack(anna, 'готовность');
    await anna.presses('Добавить цены');
    anna.says('Кухня дорогая');
    await anna.sees(/^Формат: Товар — Цена/, LONG);
    anna.says('Кухня — 120 000 ₽');
    await anna.sees(/^Цены сохранены: 1 позиция\..*готовность/s, LONG);
    await bot.app.sql`update categories set prices = null where id = ${anna.categoryId}`;
    await comesBack(anna, 'готовность');
    await anna.presses('Добавить цены');
    anna.uploads('прайс.xlsx', await workbookOf(['Кухня', 120_000]));
    await anna.sees(/^Цены сохранены: 1 позиция\./, LONG);
    expect(anna.labels()).not.toContain('Добавить цены');
  }

  async function choosesPictures(): Promise<void> {
    const anna = await experienced();
    await anna.presses(/^Картинки: /);
    await anna.sees('Сколько картинок нарисовать');
    await anna.presses('К чеклисту');
    await anna.presses(/^Картинки: /);
    await comesBack(anna, 'готовность');
    await anna.presses(/^Картинки: /);
    await anna.presses('7');
    await anna.sees('✓ Картинки: 7');
    await anna.presses('Дальше');
    await anna.sees('Картинки: 7');
  }

  /** Two texts are out: prices and pictures are on the list. */
  async function experienced() {
    const anna = await played.customer({});
    await bot.app.sql`
      insert into publication_logs (user_id, project_id, category_id, platform_type, content_type, status, keyword, tokens_spent)
      select ${anna.id}, ${anna.projectId}, ${anna.categoryId}, 'wordpress', 'article', 'success', 'кухни', 0
      from generate_series(1, 2)`;
    await begins(anna);
    await anna.sees('готовность');
    return anna;
  }
}

/** What both pipelines fill in: a description and phrases. `person`: with a topic, and a place to publish to. */
export async function playTopicMaterial(
  played: PlayedBot,
  way: PipelineWay,
  person: (options: { keywords?: unknown }) => Promise<Filler>,
): Promise<void> {
  const { bot, models, suppliers } = played;
  const { begins, comesBack } = pipelineSteps(played, way);
  await Promise.all([typesADescription(), hasItWritten(), sendsPhrases()]);
  // Models fail for everybody, so this comes alone.
  await getsNoDescription();
  await looksForPhrases();

  async function typesADescription(): Promise<void> {
    const anna = await atChecklist();
    await anna.presses('Добавить описание');
    await anna.sees('Или напишите его сами');
    anna.says('коротко');
    await anna.sees(/^Опишите категорию: от 10 до 2 000 символов/);
    await anna.presses('К чеклисту');
    await anna.sees('готовность');
    await anna.presses('Добавить описание');
    await anna.sees('Или напишите его сами');
    await comesBack(anna, 'готовность');
    const keep = await refusing(bot.app.sql, 'categories', `new.id = ${anna.categoryId}`);
    await anna.presses('Добавить описание');
    await anna.sees('Или напишите его сами');
    anna.says('Кухни по размерам, с установкой');
    await anna.sees(/^⚠ .*Или напишите его сами/s, LONG);
    await keep();
    anna.says('Кухни по размерам, с установкой за день');
    // Nothing is missing any more.
    await anna.sees('стоимость', LONG);
  }

  async function hasItWritten(): Promise<void> {
    const anna = await atChecklist();
    await bot.app.sql`select charge_balance(${anna.id}, 1490, ${`spent:${anna.id}`}, 'review')`;
    await anna.presses('Добавить описание');
    await anna.presses('Сгенерировать');
    await anna.sees(/^⚠ Недостаточно токенов\. Нужно 20, у вас 10\./, LONG);
    await buysAndGoesOn(bot, anna, 'mini');
    await anna.sees('Стоимость: 20 токенов');
    const release = models.hold('description', anna.company);
    await anna.presses('Сгенерировать');
    await anna.sees(/Пишу описание.*Дольше обычного/s, LONG);
    release();
    await anna.sees('Списано: 20 токенов', LONG);
    const hold = models.hold('description', anna.company);
    await anna.presses('Ещё вариант');
    await anna.sees(/Пишу другой вариант.*Дольше обычного/s, LONG);
    hold();
    await anna.sees('Списано: 20 токенов', LONG);
    await anna.presses('Ещё вариант (1/2)');
    await anna.sees('бесплатные закончились', LONG);
    const rest = await anna.balance();
    await bot.app.sql`select charge_balance(${anna.id}, ${rest!}, ${`rest:${anna.id}`}, 'review')`;
    await anna.presses('Ещё вариант (20)');
    await anna.sees(/^⚠ Недостаточно токенов\. Нужно 20, у вас 0\./, LONG);
    await buysAndGoesOn(bot, anna, 'mini');
    await anna.sees('Списано: 20 токенов. На балансе: 1');
    const keep = await refusing(bot.app.sql, 'categories', `new.id = ${anna.categoryId}`);
    await anna.presses('Сохранить');
    await anna.sees(/^⚠ .*Списано: 20 токенов/s, LONG);
    await keep();
    await anna.presses('К чеклисту');
    await anna.sees('готовность');
  }

  async function getsNoDescription(): Promise<void> {
    const anna = await atChecklist();
    await anna.presses('Добавить описание');
    suppliers.openRouter.moods.add({ kind: 'fails', prompt: anna.company, times: null });
    await anna.presses('Сгенерировать');
    await anna.sees(/^⚠ .*Вернулось 20 токенов/s, LONG);
    played.mend();
    await anna.presses('Сгенерировать');
    await anna.sees('Списано: 20 токенов', LONG);
    suppliers.openRouter.moods.add({ kind: 'fails', prompt: anna.company, times: null });
    await anna.presses('Ещё вариант');
    await anna.sees(/^⚠ .*Списано: 20 токенов/s, LONG);
    played.mend();
    await anna.presses('Сохранить');
    await anna.sees('стоимость', LONG);
  }

  async function looksForPhrases(): Promise<void> {
    const anna = await atChecklist({ keywords: [] });
    await anna.presses('Отмена');
    await anna.sees('Вы уверены?');
    await anna.presses('Продолжить');
    await anna.sees('готовность');
    await anna.presses('Настроить подбор');
    await anna.sees('(1/3)');
    anna.says('?');
    await anna.sees(/^Опишите товары/);
    await anna.presses('К чеклисту');
    await anna.sees('готовность');
    await anna.presses('Настроить подбор');
    anna.says('кухни, шкафы');
    await anna.sees('(2/3)');
    anna.says('К');
    await anna.sees(/^Укажите географию/);
    await anna.presses('К чеклисту');
    await anna.sees('готовность');
    await anna.presses('Настроить подбор');
    await anna.presses('Оставить как есть');
    await anna.sees('(2/3)');
    await anna.presses('Россия');
    await anna.sees('(3/3)');
    await anna.presses('К чеклисту');
    await anna.sees('готовность');
    await anna.presses('Настроить подбор');
    await anna.presses(/^Взять «/);
    await anna.sees('(2/3)');
    await anna.presses('Оставить как есть');
    await anna.sees('(3/3)');
    suppliers.openRouter.moods.add({ kind: 'fails', prompt: anna.company, times: null });
    suppliers.dataForSeo.faults.add({ match: 'live', times: 60, fault: { kind: 'status', status: 401 } });
    await anna.presses('50');
    await anna.sees(/Вернулось 50 токенов.*готовность/s, LONG);
    expect(await anna.balance()).toBe(1_500);
    played.mend();
    const release = models.hold('seed_normalize', anna.company);
    await anna.presses('Повторить подбор');
    await anna.sees('▸ Получаю реальные поисковые фразы');
    await anna.sees('Дольше обычного', LONG);
    release();
    await anna.sees(/Готово: .*✓ Фразы/s, LONG);
    await bot.app.sql`update projects set company_city = 'Казань' where id = ${anna.projectId}`;
    await bot.app.sql`update categories set keywords = '[]' where id = ${anna.categoryId}`;
    await comesBack(anna, 'Без них не начать');
    await bot.app
      .sql`select charge_balance(${anna.id}, balance, ${`spent:${anna.id}`}, 'review') from users where id = ${anna.id}`;
    await anna.presses(/^Подобрать фразы/);
    await anna.sees(
      new RegExp(`^⚠ Недостаточно токенов\\. Нужно ${way.phrases}, у вас 0\\..*готовность`, 's'),
    );
    await buysAndGoesOn(bot, anna, 'starter');
    await anna.sees('готовность');
    await anna.presses('Настроить подбор');
    anna.says('кухни');
    await anna.sees('(2/3)');
    await anna.presses('Казань');
    await anna.sees('(3/3)');
  }

  async function sendsPhrases(): Promise<void> {
    const anna = await atChecklist({ keywords: [] });
    await anna.presses('Загрузить свои');
    await anna.sees('одна фраза на строке');
    await anna.presses('К чеклисту');
    await anna.presses('Загрузить свои');
    await comesBack(anna, 'готовность');
    await anna.presses('Загрузить свои');
    anna.uploads('фразы.txt', '');
    await anna.sees(/^Загрузите TXT-файл/, LONG);
    const release = models.hold('keyword_clusters', anna.company);
    anna.says('как выбрать кухню\nкухня своими руками\nчем отличается кухня из мдф');
    await anna.sees(/Разбираю ваши фразы.*Дольше обычного/s, LONG);
    release();
    await anna.sees(/Готово: .*готовность/s, LONG);
  }

  async function atChecklist(options: { keywords?: unknown } = {}) {
    const anna = await person(options);
    await begins(anna);
    await anna.sees('готовность');
    return anna;
  }
}
