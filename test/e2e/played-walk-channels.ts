import { expect } from 'vitest';
import type { PlayedBot } from '../support/played-bot.ts';

type Newcomer = Awaited<ReturnType<PlayedBot['newcomer']>>;

export const BOT_TOKEN = `700000001:${'AAE_sandbox-token-of-no-value-x'.padEnd(35, '0')}`;
export const WRONG_TOKEN = `700000009:${'AAE_sandbox-token-of-nobody-at'.padEnd(35, '0')}`;
export const MAX_TOKEN = 'max-token-of-no-value-at-all-0001';

export async function playConnectTelegram({ bot, newcomer, max }: PlayedBot): Promise<void> {
  const { channels, people } = bot.telegram;
  const writer = channels.addBot({ token: BOT_TOKEN, username: 'cvety_writer_bot' });
  const maxBot = max.world.addBot({ token: MAX_TOKEN, name: 'Писарь' });
  await Promise.all([
    choosesTheirChannel(),
    bringsTheirOwnBot(),
    isNoAdministrator(),
    choosesWhileATokenIsAsked(),
    wantsSomebodyElsesChannel(),
    changesTheirMind(),
    knowsTheNumberOfAChat(),
  ]);
  await doesNotKnowTheNumber(); // alone: it hears of every chat that the bot is added to

  /** One press: our own bot becomes the administrator. */
  async function choosesTheirChannel(): Promise<void> {
    const anna = await asked('telegram');
    const { id } = channels.add({
      title: 'Цветы',
      owner: anna.id,
      botStatus: 'left',
      username: 'cvety_anna',
    });
    await anna.sees('Кнопка «Выбрать канал»');
    expect(anna.keyboard()).toEqual([['Выбрать канал'], ['Меню']]);
    people.shareChat(anna.id, 1, id);
    await anna.sees('Telegram · @cvety_anna — подключено к проекту «Кухни».');
    await anna.sees('Токен не нужен');
    await anna.sees('Кнопки под полем ввода снова обычные');
    expect(anna.keyboard().flat(), 'the usual keys are back').not.toContain('Выбрать канал');
    expect(await connectionsOf(anna)).toEqual([
      { platform: 'telegram', identifier: String(id), status: 'active' },
    ]);

    await anna.presses('К подключениям');
    await anna.presses(/Telegram · @cvety_anna/);
    await anna.presses('Переподключить');
    await anna.sees('подключено к проекту');
    expect(await connectionsOf(anna)).toHaveLength(1);
  }

  async function bringsTheirOwnBot(): Promise<void> {
    const anna = await asked('telegram');
    const { id } = ownChannel(anna);
    anna.says('t.me/+AbCdEfInvite');
    await anna.sees(/^Введите @channel, t\.me\/channel или числовой ID/);
    anna.says(String(id));
    await anna.sees('(2/2)');
    const chooser = people.messages(anna.id).filter(({ text }) => text?.startsWith('Кнопка «Выбрать канал»'));
    expect(chooser, 'the key stands where it is').toHaveLength(1);
    const typed = anna.says('это не токен');
    await anna.sees(/^Токен невалиден\. Получите токен у @BotFather/);
    anna.says(WRONG_TOKEN);
    await anna.sees(/^Токен невалиден\. Получите токен у @BotFather\nTelegram его не принимает/);
    expect(anna.labels()).not.toContain('Проверить снова');
    anna.says(BOT_TOKEN);
    await anna.sees('Канал Анны');
    expect(
      anna.messages().map(({ message_id }) => message_id),
      'typed secrets go',
    ).not.toContain(typed.message_id);
    expect(JSON.stringify(anna.messages())).not.toContain(BOT_TOKEN);

    await anna.presses('К подключениям');
    await anna.presses(/Telegram · /);
    await anna.presses('Переподключить');
    await anna.sees('(2/2)');
    await anna.presses('Отмена');
    await anna.sees('Подключение отменено, ничего не сохранено.');
  }

  async function isNoAdministrator(): Promise<void> {
    const anna = await asked('telegram');
    const { id } = channels.add({ title: 'Пустой', owner: anna.id, botStatus: 'left' });
    anna.says(String(id));
    await anna.sees('(2/2)');
    anna.says(BOT_TOKEN);
    await anna.sees(/не администратор канала|Бот больше не/);
    channels.stand(id, writer.id, { status: 'administrator', mayPost: false });
    await anna.presses('Проверить снова');
    await anna.sees(/нет права публиковать в канале/);
    await anna.presses('Другой канал');
    await anna.sees('(1/2)');
    people.shareChat(anna.id, 1, id);
    await anna.sees('подключено к проекту');
  }

  async function choosesWhileATokenIsAsked(): Promise<void> {
    const anna = await asked('telegram');
    const { id } = channels.add({ title: 'Выбранный', owner: anna.id, botStatus: 'left' });
    anna.says('@some_channel');
    await anna.sees('(2/2)');
    people.shareChat(anna.id, 1, id);
    await anna.sees('Выбранный');
  }

  /** X24, and a chooser's answer that was not given by the channel's administrator. */
  async function wantsSomebodyElsesChannel(): Promise<void> {
    const [boris, anna] = [await asked('telegram'), await asked('telegram')];
    const { id } = channels.add({ title: 'Ремонт', owner: boris.id, botStatus: 'left' });
    people.shareChat(boris.id, 1, id);
    await boris.sees('подключено к проекту');
    people.shareChat(anna.id, 1, id);
    await anna.sees(/^Вы не администратор этого канала/);
    await anna.presses('Проверить снова');
    await anna.sees(/Снова не вышло/);
    channels.stand(id, writer.id, { status: 'administrator' });
    anna.says(String(id));
    await anna.sees('(2/2)');
    anna.says(BOT_TOKEN);
    await anna.sees(/^Не удалось подключиться\. «Ремонт» уже есть у другого пользователя/);
    expect(await connectionsOf(anna)).toEqual([]);
  }

  async function changesTheirMind(): Promise<void> {
    const anna = await asked('telegram');
    await anna.presses('Отмена');
    await anna.sees('Подключение отменено, ничего не сохранено.');
    await anna.sees('Кнопки под полем ввода снова обычные');
    expect(anna.keyboard().flat()).not.toContain('Выбрать канал');
    await opens(anna, 'telegram');
    anna.says('Меню');
    await anna.sees('Кнопки под полем ввода снова обычные');
    expect(anna.keyboard().flat()).not.toContain('Выбрать канал');
  }

  async function knowsTheNumberOfAChat(): Promise<void> {
    const anna = await asked('max');
    const id = -70_000_000_000_101;
    max.world.addChat({ id, title: 'Чат Анны', bots: {} });
    anna.says('не знаю');
    await anna.sees(/^Это не похоже на чат MAX/);
    anna.says(`https://web.max.ru/${id}`);
    await anna.sees('(2/2)');
    anna.says(MAX_TOKEN);
    await anna.sees(/^MAX не находит этот чат, или бота в нём нет/);
    max.world.addChat({ id, title: 'Чат Анны', bots: { [maxBot.user_id]: { permissions: [] } } });
    await anna.presses('Проверить снова');
    await anna.sees(/нет права писать в этот канал MAX/);
    max.world.addChat({ id, title: 'Чат Анны', bots: { [maxBot.user_id]: {} } });
    await anna.presses('Проверить снова');
    await anna.sees('MAX · Чат Анны — подключено к проекту «Кухни».');
  }

  async function doesNotKnowTheNumber(): Promise<void> {
    const anna = await asked('max');
    anna.says('max.ru/join/AbCdEf');
    await anna.sees('чат найду сам');
    anna.says('max-token-of-nobody-at-all-0001');
    await anna.sees(/^MAX не принимает этот токен/);
    const webhook = { kind: 'status', status: 405 } as const;
    max.faults.add({ match: 'GET /updates', times: 2, fault: webhook });
    anna.says(MAX_TOKEN);
    await anna.sees(/^Этот бот уже получает события по вебхуку/);
    await anna.presses('Проверить снова');
    await anna.sees(/^Этот бот уже получает события.*Снова не вышло/s);
    await anna.presses('Другой чат');
    await anna.presses('Найти чат');
    anna.says(MAX_TOKEN);
    await anna.sees('Жду, когда бот появится в чате MAX');
    await anna.presses('Пришлю номер чата');
    await anna.sees('(1/2)');
    await anna.presses('Найти чат');
    anna.says(MAX_TOKEN);
    await anna.sees('Жду, когда бот появится');
    await anna.presses('Отмена');
    await anna.sees('Подключение отменено');
    await opens(anna, 'max');
    await anna.presses('Найти чат');
    anna.says(MAX_TOKEN);
    await anna.sees('Жду, когда бот появится');
    max.people.addToChat(maxBot, { id: 42, name: 'Анна' }, { id: -70_000_000_000_202, title: 'Найденный' });
    await anna.sees('MAX · Найденный — подключено к проекту «Кухни».');
  }

  function ownChannel(anna: Newcomer) {
    return channels.add({
      ...{ title: 'Канал Анны', owner: anna.id, botStatus: 'left' },
      bots: { [writer.id]: { status: 'administrator' } },
    });
  }

  async function asked(platform: string) {
    const anna = await newcomer();
    await opens(anna, platform);
    return anna;
  }

  async function opens(anna: Newcomer, platform: string): Promise<void> {
    await anna.forges(`project:${anna.projectId}:conn_add:${platform}`);
    await anna.sees(`Подключение ${platform === 'max' ? 'MAX' : 'Telegram'} (1/2)`);
    if (platform !== 'max') await anna.sees('Кнопка «Выбрать канал»');
  }

  async function connectionsOf({ id }: Newcomer) {
    return [
      ...(await bot.app.sql`
        select n.platform_type as platform, n.identifier, n.status
        from platform_connections n join projects p on p.id = n.project_id
        where p.user_id = ${id} order by n.id`),
    ];
  }
}
