import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atThePreview, LONG, type PlayedBot, startPlayedBot } from '../support/played-bot.ts';

describe('the voice of a company', () => {
  let played: PlayedBot;
  beforeAll(async () => {
    played = await startPlayedBot();
  });
  afterAll(() => played.stop());

  it('is made from its own texts, shown, corrected, and heard in what is written; a person signs', async () => {
    const anna = await played.customer({ images: 0 });
    const { sql } = played.bot.app;
    await sql`update projects set website_url = 'https://kuhni-anna.example' where id = ${anna.projectId}`;
    await anna.forges(`project:${anna.projectId}:card`);
    await anna.presses('Голос компании');
    await anna.sees('Пока тексты пишутся обычным деловым голосом');
    await anna.presses('Прочитать мои тексты');
    await anna.sees(/Готово: прочитан.*Обращайся к читателю на «вы»/s, LONG);

    await anna.presses('Поправить');
    await anna.sees('Как говорит ваша компания?');
    anna.says('а'.repeat(901));
    await anna.sees('Нужно от 2 до 900 знаков');
    anna.says('На «вы», тепло и коротко, любимое слово — «по-честному».');
    await anna.sees(/Сохранено.*по-честному/s);
    await anna.presses('Указать автора');
    await anna.sees('Кто подписывает статьи?');
    anna.says('Анна Петрова, технолог');
    await anna.sees('Статьи подписывает: Анна Петрова, технолог');

    await atThePreview(anna);
    const asked = played.models.asked.filter(({ text }) => text.includes(anna.company));
    expect(asked.find(({ task }) => task === 'article')?.text).toMatch(/<voice>\s*На «вы», тепло и коротко/u);
    await anna.presses('Опубликовать');
    await anna.sees('Статья опубликована', LONG);
    const { content } = anna.site.posts.values().at(-1)!;
    expect(content).toContain(`Автор: Анна Петрова, технолог, ${anna.company}`);
    expect(content).toContain('"author":{"@type":"Person","name":"Анна Петрова, технолог"');

    await anna.forges(`project:${anna.projectId}:voice`);
    await anna.presses('Другой автор');
    anna.says('-');
    await anna.sees(
      /Следующие статьи снова подпишет название компании\..*Подпись под статьями: название компании/s,
    );
    await anna.presses('Убрать голос');
    await anna.sees(/Убрать голос компании.*1 описание голоса/s);
    await anna.presses('Да, удалить');
    await anna.sees('Пока тексты пишутся обычным деловым голосом');
  });

  it('is not invented where there are no texts', async () => {
    const anna = await played.customer({ images: 0 });
    await anna.forges(`project:${anna.projectId}:voice`);
    await anna.sees('Голос компании');
    expect(anna.labels()).not.toContain('Прочитать мои тексты');
    const { sql } = played.bot.app;
    await sql`update projects set website_url = 'https://empty.example' where id = ${anna.projectId}`;
    played.suppliers.firecrawl.faults.add({ match: '.*', times: 99, fault: { kind: 'status', status: 500 } });
    await anna.forges(`project:${anna.projectId}:voice`);
    await anna.presses('Прочитать мои тексты');
    await anna.sees('Не нашёл ваших текстов', LONG);
    played.mend();
  });
});
