import { expect } from 'vitest';
import { addCategory } from '../support/accounts.ts';
import { aCluster } from '../support/article-customer.ts';
import { PHRASE, type PlayedBot } from '../support/played-bot.ts';
import { signInAtPinterest } from '../support/sign-in-at-pinterest.ts';

const BOT_TOKEN = `700000002:${'AAE_sandbox-token-of-no-value-y'.padEnd(35, '0')}`;
const WRONG_TOKEN = `700000008:${'AAE_sandbox-token-of-nobody-too'.padEnd(35, '0')}`;
const MAX_TOKEN = 'max-token-of-no-value-at-all-0002';
const rights = ['wall', 'photos', 'groups', 'offline'];
const flood = { error: { error_code: 9, error_msg: 'Flood control' } };
const CHANNEL = 'Пост (2/5) — канал';

let groups = 8_000;

/** People who connect a channel on the way to their first post, and come back to the way. */
export async function playPipelineChannels(played: PlayedBot): Promise<void> {
  const { bot, max, vk, pinterest } = played;
  const { channels, people } = bot.telegram;
  const writer = channels.addBot({ token: BOT_TOKEN, username: 'mebel_writer_bot' });
  const maxBot = max.world.addBot({ token: MAX_TOKEN, name: 'Писарь второй' });
  await Promise.all([
    choosesTheirChannel(),
    bringsTheirOwnBot(),
    wantsSomebodyElsesChannel(),
    knowsTheNumberOfAChat(),
    bringsTheKeyOfACommunity(),
    choosesAmongTheirCommunities(),
    wantsSomebodyElsesCommunity(),
    choosesABoard(),
    wantsSomebodyElsesBoard(),
    refusesPinterest(),
  ]);
  // Their faults would strike the others.
  await doesNotKnowTheNumber();
  await meetsAnUnwillingVk();
  await hasNoBoardYet();
  await meetsABrokenStore();

  async function choosesTheirChannel(): Promise<void> {
    const anna = await asked('Telegram', 'Подключение Telegram (1/2)');
    await anna.presses('Отмена');
    await anna.sees(CHANNEL);
    await anna.sees('Кнопки под полем ввода снова обычные');
    await anna.presses('Telegram');
    await anna.sees('Кнопка «Выбрать канал»');
    const { id } = channels.add({ title: 'Кухни Анны', owner: 1, botStatus: 'left' });
    people.shareChat(anna.id, 1, id);
    await anna.sees(/^Вы не администратор этого канала/);
    await anna.presses('Проверить снова');
    await anna.sees(/Снова не вышло/);
    // Out of the pipeline, and back to the question.
    anna.says('Меню');
    await anna.sees('Кнопки под полем ввода снова обычные');
    await anna.presses(/^Продолжить: пост/);
    await anna.sees('Кнопка «Выбрать канал»');
    anna.says('t.me/+AbCdEfInvite');
    await anna.sees(/^Введите @channel/);
    anna.says('Меню');
    await anna.sees('Кнопки под полем ввода снова обычные');
    await anna.presses(/^Продолжить: пост/);
    await expect.poll(() => anna.keyboard()).toEqual([['Выбрать канал'], ['Меню']]);
    anna.says('@some_channel');
    await anna.sees('(2/2)');
    const own = channels.add({ title: 'Свой', owner: anna.id, botStatus: 'left' });
    people.shareChat(anna.id, 1, own.id);
    await anna.sees(/Пост \(4\/5\) — готовность\nКухни → Свой · Шкафы/);
    await anna.sees('Кнопки под полем ввода снова обычные');
  }

  async function bringsTheirOwnBot(): Promise<void> {
    const anna = await asked('Telegram', 'Подключение Telegram (1/2)');
    const { id } = channels.add({
      ...{ title: 'Канал Анны', owner: anna.id, botStatus: 'left' },
      bots: { [writer.id]: { status: 'administrator', mayPost: false } },
    });
    anna.says('t.me/+AbCdEfInvite');
    await anna.sees(/^Введите @channel/);
    anna.says(String(id));
    await anna.sees('(2/2)');
    await anna.presses('Другой канал');
    await anna.sees('(1/2)');
    anna.says(String(id));
    await anna.sees('(2/2)');
    anna.says('это не токен');
    await anna.sees(/^Токен невалиден/);
    anna.says(WRONG_TOKEN);
    await anna.sees(/^Токен невалиден.*Telegram его не принимает/s);
    await anna.presses('Отмена');
    await anna.sees(CHANNEL);
    await anna.presses('Telegram');
    anna.says(String(id));
    await anna.sees('(2/2)');
    anna.says(BOT_TOKEN);
    await anna.sees(/нет права публиковать в канале/);
    channels.stand(id, writer.id, { status: 'administrator' });
    await anna.presses('Проверить снова');
    await anna.sees(/готовность\nКухни → Канал Анны/);
  }

  /** X24: back to the choice, which says why. */
  async function wantsSomebodyElsesChannel(): Promise<void> {
    const [boris, anna] = [
      await asked('Telegram', 'Подключение Telegram (1/2)'),
      await asked('Telegram', 'Подключение Telegram (1/2)'),
    ];
    const { id } = channels.add({ title: 'Ремонт кухонь', owner: boris.id, botStatus: 'left' });
    people.shareChat(boris.id, 1, id);
    await boris.sees('готовность');
    channels.stand(id, writer.id, { status: 'administrator' });
    anna.says(String(id));
    await anna.sees('(2/2)');
    anna.says(BOT_TOKEN);
    await anna.sees(/Не удалось подключиться\. «Ремонт кухонь» уже есть у другого.*Пост \(2\/5\)/s);
  }

  async function knowsTheNumberOfAChat(): Promise<void> {
    const anna = await asked('MAX', 'Подключение MAX (1/2)');
    const id = -70_000_000_000_301;
    max.world.addChat({ id, title: 'Чат Анны', bots: { [maxBot.user_id]: {} } });
    anna.says(String(id));
    await anna.sees('(2/2)');
    anna.says(MAX_TOKEN);
    await anna.sees(/готовность\nКухни → Чат Анны/);
  }

  async function doesNotKnowTheNumber(): Promise<void> {
    const anna = await asked('MAX', 'Подключение MAX (1/2)');
    anna.says('max.ru/join/AbCdEf');
    await anna.sees('чат найду сам');
    max.faults.add({ match: 'GET /updates', times: 2, fault: { kind: 'status', status: 405 } });
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
    await anna.sees(CHANNEL);
    await anna.presses('MAX');
    await anna.presses('Найти чат');
    anna.says(MAX_TOKEN);
    await anna.sees('Жду, когда бот появится');
    max.people.addToChat(maxBot, { id: 43, name: 'Анна' }, { id: -70_000_000_000_402, title: 'Найденный' });
    await anna.sees(/готовность\nКухни → Найденный/);
  }

  async function bringsTheKeyOfACommunity(): Promise<void> {
    const anna = await asked('VK', 'Подключение VK (1/2)');
    const { key } = aCommunity('Кухни Анны');
    anna.says('мой ключ');
    await anna.sees(/^Это не похоже на ключ VK/);
    await anna.presses('А с картинками?');
    await anna.sees('С картинками работает ключ пользователя');
    anna.says('vk1.a.key-that-nobody-knows-0002');
    await anna.sees(/^VK не принимает этот ключ/);
    await anna.presses('Отмена');
    await anna.sees(CHANNEL);
    await anna.presses('VK');
    await bot.app.sql`
      update categories set description = 'Кухни.', keywords = ${JSON.stringify([aCluster(PHRASE)])}::text::jsonb
      where project_id = ${anna.projectId}`;
    anna.says(key);
    await anna.sees(
      /стоимость\nКухни → Кухни Анны.*Картинка: без картинки, этот ключ доступа их не пускает/s,
    );
    await anna.sees('Стоимость: не больше 10 токенов');
  }

  async function choosesAmongTheirCommunities(): Promise<void> {
    const anna = await asked('VK', 'Подключение VK (1/2)');
    const theirs = Array.from({ length: 10 }, (_, at) => aGroup(`Сообщество ${at}`));
    const key = aPersonsKey(theirs);
    anna.says(key);
    await anna.sees('В каком сообществе публиковать?');
    await anna.presses('Отмена');
    await anna.sees(CHANNEL);
    await anna.presses('VK');
    anna.says(key);
    await anna.sees('В каком сообществе');
    await anna.presses('Другой ключ');
    await anna.sees('(1/2)');
    anna.says(key);
    await anna.presses('▶');
    vk.world.addToken({ token: key, kind: 'user', rights, roles: {} });
    await anna.presses(/Сообщество 9/);
    await anna.sees(/^По этому ключу в сообществе публиковать нельзя/);
    vk.world.addToken({
      ...{ token: key, kind: 'user', rights },
      roles: Object.fromEntries(theirs.map((id) => [id, 'admin' as const])),
    });
    // The list is still turned to their page.
    await anna.presses(/Сообщество 9/);
    await anna.sees(/готовность\nКухни → Сообщество 9/);
  }

  async function wantsSomebodyElsesCommunity(): Promise<void> {
    const [boris, anna] = [await asked('VK', '(1/2)'), await asked('VK', '(1/2)')];
    const { key } = aCommunity('Ремонт кухонь');
    boris.says(key);
    await boris.sees('готовность');
    anna.says(key);
    await anna.sees(/Не удалось подключиться\. «Ремонт кухонь» уже есть у другого/);
  }

  async function meetsAnUnwillingVk(): Promise<void> {
    const anna = await asked('VK', '(1/2)');
    const { key } = aCommunity('Упрямое второе');
    const busy = { kind: 'status', status: 200, body: flood } as const;
    vk.faults.add({ match: 'groups\\.getById', times: 1, fault: busy });
    anna.says(key);
    await anna.sees(/^VK просит сделать паузу/);
    vk.faults.add({ match: 'photos\\.getWallUploadServer', times: 1, fault: busy });
    await anna.presses('Проверить снова');
    await anna.sees(/^VK просит сделать паузу/);
    await anna.presses('Проверить снова');
    await anna.sees('готовность');
  }

  async function choosesABoard(): Promise<void> {
    const anna = await withBoards(['Мебель', ...Array.from({ length: 9 }, (_, at) => `Доска ${at}`)]);
    await anna.presses('Отмена');
    await anna.sees(CHANNEL);
    await anna.presses('Pinterest');
    await anna.sees('Подключение Pinterest (1/2)');
    await signsIn(anna);
    await anna.sees('На какую доску публиковать?');
    await anna.presses('Отмена');
    await anna.sees(CHANNEL);
    await anna.presses('Pinterest');
    await anna.sees('Подключение Pinterest (1/2)');
    await signsIn(anna);
    await anna.presses('▶');
    await anna.presses('◀');
    pinterest.world.removeBoard(pinterest.world.boards(accountOf(anna))[0]!.id);
    await anna.presses('Мебель');
    await anna.sees(/^Этой доски в Pinterest больше нет/);
    await anna.presses('Доска 0');
    await anna.sees(/готовность\nКухни → Доска 0/);
  }

  async function wantsSomebodyElsesBoard(): Promise<void> {
    const boris = await withBoards(['Общая доска']);
    await signsIn(boris);
    await boris.presses('Общая доска');
    await boris.sees('готовность');
    const anna = await withBoards([]);
    await signsIn(anna, accountOf(boris));
    await anna.presses('Общая доска');
    await anna.sees(/Не удалось подключиться\. «Общая доска» уже есть у другого/);
  }

  /** E21; and E20: what Pinterest gave was kept for half an hour. */
  async function refusesPinterest(): Promise<void> {
    const anna = await withBoards(['Мебель']);
    await signInAtPinterest(bot, pinterest, anna, null);
    await anna.sees(/Не удалось подключиться\. Вы не дали доступ в Pinterest.*Пост \(2\/5\)/s);
    await anna.presses('Pinterest');
    await anna.sees('Подключение Pinterest (1/2)');
    const { payload, nonce } = await signInAtPinterest(bot, pinterest, anna, accountOf(anna));
    await bot.app.sql`delete from key_values where key like ${`%pinterest_auth:${nonce}`}`;
    anna.says(`/start ${payload}`);
    await anna.sees(/Не удалось подключиться\. Вход в Pinterest не завершён.*Пост \(2\/5\)/s);
  }

  async function hasNoBoardYet(): Promise<void> {
    const anna = await withBoards([]);
    pinterest.faults.add({ match: 'GET /v5/boards', times: 1, fault: { kind: 'status', status: 403 } });
    await signsIn(anna);
    await anna.sees(/Досок пока не видно/);
    pinterest.faults.clear();
    pinterest.world.addBoard({ name: 'Первая', owner: accountOf(anna) });
    await anna.presses('Проверить снова');
    await anna.presses('Первая');
    await anna.sees(/готовность\nКухни → Первая/);
  }

  async function meetsABrokenStore(): Promise<void> {
    const anna = await begins();
    await bot.app.sql`alter table key_values rename to key_values_away`;
    try {
      await anna.presses('Pinterest');
      await anna.sees(/Не удалось подключиться\..*Пост \(2\/5\)/s);
    } finally {
      await bot.app.sql`alter table key_values_away rename to key_values`;
    }
  }

  /** In a project without channels: one of them is the next step. */
  async function begins() {
    const anna = await played.newcomer();
    await addCategory(bot, anna.projectId, 'Шкафы');
    anna.says('/start');
    await anna.sees('Главное меню');
    await anna.presses('Опубликовать пост');
    await anna.sees(CHANNEL);
    return anna;
  }

  async function asked(platform: string, words: string) {
    const anna = await begins();
    await anna.presses(platform);
    await anna.sees(words);
    if (platform === 'Telegram') await anna.sees('Кнопка «Выбрать канал»');
    return anna;
  }

  async function withBoards(boards: string[]) {
    const anna = await begins();
    const username = accountOf(anna);
    pinterest.world.addAccount({ username, accountType: 'BUSINESS' });
    for (const name of boards) pinterest.world.addBoard({ name, owner: username });
    await anna.presses('Pinterest');
    await anna.sees('Подключение Pinterest (1/2)');
    return anna;
  }

  async function signsIn(anna: Poster, account = accountOf(anna)): Promise<void> {
    const { payload } = await signInAtPinterest(bot, pinterest, anna, account);
    anna.says(`/start ${payload}`);
    await anna.sees('(2/2)');
  }

  function aGroup(name: string): number {
    groups += 1;
    vk.world.addGroup({ id: groups, name, screenName: `club${groups}`, members: groups });
    return groups;
  }

  function aCommunity(name: string) {
    const groupId = aGroup(name);
    const key = `vk1.a.community-key-of-no-value-${groupId}`;
    vk.world.addToken({ token: key, kind: 'community', groupId, rights: ['wall', 'photos'] });
    return { id: groupId, key };
  }

  function aPersonsKey(ids: number[]): string {
    groups += 1;
    const token = `vk1.a.user-token-of-no-value-${groups}`;
    const roles = Object.fromEntries(ids.map((id) => [id, 'admin' as const]));
    vk.world.addToken({ token, kind: 'user', rights, roles });
    return token;
  }
}

type Poster = Awaited<ReturnType<PlayedBot['newcomer']>>;

const accountOf = ({ id }: { id: number }): string => `poster${id}`;
