import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grounds, startBot, type TestBot } from '../support/bot.ts';
import { type ScriptedPerson, scriptedPerson } from '../support/person.ts';

const OWNER_ID = 4_242;

const aPicture = () =>
  sharp({ create: { width: 20, height: 20, channels: 3, background: '#2f6fde' } })
    .png()
    .toBuffer();

describe.each(grounds)('a broadcast, %s', (ground) => {
  let bot: TestBot;
  let owner: ScriptedPerson;
  let people: ScriptedPerson[];
  beforeAll(async () => {
    bot = await startBot(ground, { ADMIN_ID: String(OWNER_ID) });
    owner = scriptedPerson(bot.telegram, { id: OWNER_ID, first_name: 'Олег' });
    people = ['Анна', 'Борис', 'Вера', 'Глеб'].map((name) => bot.person(name));
    for (const person of [owner, ...people]) {
      person.says('/start');
      await person.sees('ИИ пишет');
    }
  });
  afterAll(() => bot.stop());

  const heard = (person: ScriptedPerson, words: string) =>
    person.messages().filter(({ from, text, caption }) => from?.is_bot && (text ?? caption)?.includes(words));

  it('shows the owner exactly what people will get, and X22: one who blocked the bot does not hold up the others', async () => {
    const [anna, boris, vera, gleb] = people as [
      ScriptedPerson,
      ScriptedPerson,
      ScriptedPerson,
      ScriptedPerson,
    ];
    await bot.app.sql`update users set notify_news = false where id = ${vera.id}`;
    owner.says('АДМИНКА');
    await owner.presses('Рассылка');
    await owner.sees('Кому написать?');
    await owner.presses(/Все: 4/u);
    await owner.sees('Пришлите текст');
    owner.says('**Новость**: теперь с [картинками](https://seo.example/new)', { formatted: true });
    await owner.sees(/Кому: все, 4 человека/u);
    const [preview] = heard(owner, 'Новость').slice(-1);
    expect(preview).toMatchObject({
      text: 'Новость: теперь с картинками',
      entities: [
        { type: 'bold', offset: 0, length: 7 },
        { type: 'text_link', offset: 18, length: 10, url: 'https://seo.example/new' },
      ],
    });
    // Nothing left before the owner said so, and one person goes away without a word to us.
    expect(heard(anna, 'Новость')).toEqual([]);
    bot.telegram.people.block(gleb.id);
    await expect.poll(() => blockedAt(gleb.id)).not.toBeNull();
    await bot.app.sql`update users set blocked_at = null where id = ${gleb.id}`;

    await owner.presses(/Отправить: 4 человека/u);
    await owner.sees('Рассылка началась');
    await bot.app.owner.jobs.sendBroadcasts();
    for (const person of [owner, anna, boris]) {
      const [message] = heard(person, 'Новость').slice(-1);
      expect(message).toMatchObject({ text: preview!.text, entities: preview!.entities });
    }
    expect(heard(vera, 'Новость')).toEqual([]);
    const { text } = await owner.sees(/Рассылка закончена/u);
    expect(text).toMatch(
      /Доставлено: 3 из 4\nЗаблокировали бота: 1\nНе приняты Telegram: 0\nОтвет потерян, могли получить: 0/u,
    );
    expect(await blockedAt(gleb.id)).not.toBeNull();
    const [audit] = await bot.app.sql`select details from admin_audit where action = 'broadcast'`;
    expect(audit!.details).toMatchObject({ audience: 'all', text: preview!.text });
  });

  it('reaches also those who switched news off when it is important, with its picture', async () => {
    const vera = people[2]!;
    await owner.forges('admin:bc:to:all');
    await owner.sees('Пришлите текст');
    bot.telegram.people.photo(
      OWNER_ID,
      { name: 'a.png', mime: 'image/png', bytes: await aPicture() },
      'Смотрите, **новое**',
    );
    await owner.sees(/Кому: все, 3 человека/u);
    await owner.presses('Важное, прислать всем');
    await owner.sees(/4 человека.*придёт и тем, кто выключил новости/su);
    await owner.presses(/Отправить: 4 человека/u);
    await owner.sees('Рассылка началась');
    await bot.app.owner.jobs.sendBroadcasts();
    const [message] = heard(vera, 'Смотрите').slice(-1);
    expect(message).toMatchObject({
      caption: 'Смотрите, новое',
      caption_entities: [{ type: 'bold', offset: 10, length: 5 }],
      photo: [expect.anything()],
    });
  });

  it('stops at once, says how many are left, and goes on when asked', async () => {
    const anna = people[0]!;
    await owner.forges('admin:bc:to:active_7d');
    owner.says('Третья новость');
    await owner.presses(/Отправить: /u);
    await owner.sees('Рассылка началась');
    await owner.presses('Остановить');
    await owner.sees('Больше никому не уйдёт');
    await bot.app.owner.jobs.sendBroadcasts();
    expect(heard(anna, 'Третья')).toEqual([]);
    await owner.sees(/Рассылка остановлена.*Доставлено: 0 из 3/su);
    await owner.presses('Продолжить, осталось 3');
    await owner.sees('продолжается');
    await bot.app.owner.jobs.sendBroadcasts();
    expect(heard(anna, 'Третья')).toHaveLength(1);
    const stored = await bot.app
      .sql`select action from admin_audit where action like '%broadcast' order by id`;
    expect(stored.slice(-3).map(({ action }) => action)).toEqual([
      'broadcast',
      'stop-broadcast',
      'resume-broadcast',
    ]);
  });

  it('of yesterday cannot be sent by an old button, nor one that changed since it was looked at', async () => {
    await owner.forges('admin:bc:to:all');
    owner.says('Четвёртая новость');
    await owner.sees(/Кому: все/u);
    const send = owner.dataOf(/Отправить: /u);
    await owner.presses('Важное, прислать всем');
    await owner.sees('придёт и тем, кто выключил новости');
    expect(await owner.forges(send)).toMatchObject({ text: expect.stringMatching(/измени/iu) });
    await bot.app.owner.jobs.sendBroadcasts();
    expect(heard(people[0]!, 'Четвёртая')).toEqual([]);
  });

  async function blockedAt(id: number) {
    const [row] = await bot.app.sql<
      { at: Date | null }[]
    >`select blocked_at as at from users where id = ${id}`;
    return row?.at ?? null;
  }
});
