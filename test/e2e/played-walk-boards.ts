import { expect } from 'vitest';
import { makeConnections } from '../../src/store/connections.ts';
import { testSealing } from '../support/article-works.ts';
import type { PlayedBot } from '../support/played-bot.ts';
import { signInAtPinterest } from '../support/sign-in-at-pinterest.ts';

type Newcomer = Awaited<ReturnType<PlayedBot['newcomer']>>;

const rights = ['wall', 'photos', 'groups', 'offline'];
let groups = 7_000;

export async function playConnectVK({ bot, newcomer, vk }: PlayedBot): Promise<void> {
  await Promise.all([
    bringsTheKeyOfACommunity(),
    choosesAmongTheirs(),
    hasAKeyThatIsOfNoUse(),
    wantsSomebodyElsesCommunity(),
    changesTheirMind(),
  ]);
  await meetsAnUnwillingVk(); // alone: its faults would strike the others

  async function bringsTheKeyOfACommunity(): Promise<void> {
    const anna = await asked();
    const { key, id } = aCommunity('Кухни Анны');
    anna.says('мой ключ');
    await anna.sees(/^Это не похоже на ключ VK/);
    await anna.presses('А с картинками?');
    await anna.sees('С картинками работает ключ пользователя');
    const typed = anna.says(key);
    await anna.sees('VK · Кухни Анны — подключено к проекту «Кухни».');
    await anna.sees('Картинки VK по этому ключу не принимает');
    expect(anna.messages().map(({ message_id }) => message_id)).not.toContain(typed.message_id);
    expect(await credentialsOf(anna)).toMatchObject({ group_id: `-${id}`, access_token: key });

    await anna.presses('К подключениям');
    await anna.presses(/VK · Кухни Анны/);
    await anna.presses('Проверить');
    await anna.sees('Проверил: Кухни Анны отвечает, публиковать можно.');
    vk.world.revoke(key);
    await anna.presses('Проверить');
    await anna.sees(/Кухни Анны не отвечает как нужно\. VK не принимает этот ключ/);
  }

  async function choosesAmongTheirs(): Promise<void> {
    const anna = await asked();
    const theirs = Array.from({ length: 10 }, (_, at) => aGroup(`Сообщество ${at}`));
    const key = aPersonsKey(theirs);
    anna.says(key);
    await anna.sees('В каком сообществе публиковать?');
    await anna.presses('▶');
    await anna.sees('В каком сообществе');
    await anna.presses('Другой ключ');
    await anna.sees('(1/2)');
    anna.says(key);
    await anna.presses('▶');
    await anna.presses(/Сообщество 9/);
    await anna.sees('VK · Сообщество 9 — подключено');
    expect(anna.screen()?.text).not.toContain('не принимает');
    expect(await credentialsOf(anna)).toMatchObject({ group_name: 'Сообщество 9' });
  }

  async function hasAKeyThatIsOfNoUse(): Promise<void> {
    const anna = await asked();
    anna.says('vk1.a.key-that-nobody-knows-0001');
    await anna.sees(/^VK не принимает этот ключ: он скопирован не целиком/);
    vk.world.addToken({ token: 'vk2.a.token-of-vk-id-00000001', kind: 'vkid' });
    anna.says('vk2.a.token-of-vk-id-00000001');
    await anna.sees(/^Этот ключ VK не умеет публиковать: такие выдаёт вход через VK ID/);
    anna.says(aCommunity('Без стены', ['manage']).key);
    await anna.sees(/^У этого ключа нет права «Стена»/);
    anna.says(aPersonsKey([]));
    await anna.sees(/не видно ни одного сообщества, где вы администратор или редактор/);
    expect(await credentialsOf(anna)).toBeNull();
  }

  async function wantsSomebodyElsesCommunity(): Promise<void> {
    const [boris, anna] = [await asked(), await asked()];
    const { key } = aCommunity('Ремонт');
    boris.says(key);
    await boris.sees('подключено к проекту');
    anna.says(key);
    await anna.sees(/^Не удалось подключиться\. «Ремонт» уже есть у другого пользователя/);
    expect(await credentialsOf(anna)).toBeNull();
  }

  async function meetsAnUnwillingVk(): Promise<void> {
    const anna = await asked();
    const { key, id } = aCommunity('Упрямое');
    const gone = aPersonsKey([aGroup('Уйдёт'), id]);
    // The group is closed between the list and the choice.
    anna.says(gone);
    await anna.sees('В каком сообществе');
    vk.world.addToken({ token: gone, kind: 'user', rights, roles: {} });
    await anna.presses(/Уйдёт/);
    await anna.sees(/^По этому ключу в сообществе публиковать нельзя/);
    await anna.presses('Другой ключ');
    await anna.sees('(1/2)');
    // Too many connections in a row: nothing was tried, and the same key may be tried again.
    vk.faults.add({
      match: 'groups\\.getById',
      times: 1,
      fault: { kind: 'status', status: 200, body: flood },
    });
    anna.says(key);
    await anna.sees(/^VK просит сделать паузу/);
    vk.faults.add({
      ...{ match: 'photos\\.getWallUploadServer', times: 1 },
      fault: { kind: 'status', status: 200, body: flood },
    });
    await anna.presses('Проверить снова');
    await anna.sees(/^VK просит сделать паузу/);
    await anna.presses('Проверить снова');
    await anna.sees('VK · Упрямое — подключено');
  }

  async function changesTheirMind(): Promise<void> {
    const anna = await asked();
    await anna.presses('Отмена');
    await anna.sees('Подключение отменено, ничего не сохранено.');
    await opens(anna, 'vk');
    anna.says(aPersonsKey([aGroup('Одна'), aGroup('Вторая')]));
    await anna.sees('В каком сообществе');
    await anna.presses('Отмена');
    await anna.sees('Подключение отменено');
  }

  function aGroup(name: string): number {
    groups += 1;
    vk.world.addGroup({ id: groups, name, screenName: `club${groups}`, members: groups });
    return groups;
  }

  function aCommunity(name: string, own = ['wall', 'photos']) {
    const groupId = aGroup(name);
    const key = `vk1.a.community-key-of-no-value-${groupId}`;
    vk.world.addToken({ token: key, kind: 'community', groupId, rights: own });
    return { id: groupId, key };
  }

  function aPersonsKey(ids: number[]): string {
    groups += 1;
    const token = `vk1.a.user-token-of-no-value-${groups}`;
    const roles = Object.fromEntries(ids.map((id) => [id, 'admin' as const]));
    vk.world.addToken({ token, kind: 'user', rights, roles });
    return token;
  }

  async function asked() {
    const anna = await newcomer();
    await opens(anna, 'vk');
    return anna;
  }

  async function credentialsOf({ id, projectId }: Newcomer) {
    return credentialsIn(bot, id, projectId);
  }
}

const flood = { error: { error_code: 9, error_msg: 'Flood control' } };

export async function playConnectPinterest({ bot, newcomer, pinterest }: PlayedBot): Promise<void> {
  await Promise.all([
    choosesABoard(),
    refuses(),
    comesTooLate(),
    wantsSomebodyElsesBoard(),
    losesTheBoard(),
    changesTheirMind(),
  ]);
  await hasNoBoardYet(); // alone: its faults would strike the others
  await meetsABrokenStore();

  async function choosesABoard(): Promise<void> {
    const anna = await asked(['Мебель', ...Array.from({ length: 9 }, (_, at) => `Доска ${at}`)]);
    const { payload } = await signIn(anna);
    const boris = await newcomer('Борис');
    boris.says(`/start ${payload}`);
    await boris.sees(/^Этот вход в Pinterest уже не продолжить.*если доски там нет/su);
    anna.says(`/start ${payload}`);
    await anna.sees('На какую доску публиковать?');
    anna.says(`/start ${payload}`);
    await anna.sees('На какую доску публиковать?');
    await anna.presses('▶');
    await anna.presses('◀');
    await anna.presses('Мебель');
    await anna.sees('Pinterest · Мебель — подключено к проекту «Кухни».');
    const kept = await credentialsIn(bot, anna.id, anna.projectId);
    expect(kept).toMatchObject({ board_name: 'Мебель', access_token: expect.stringMatching(/^pina_/u) });

    await anna.presses('К подключениям');
    await anna.presses(/Pinterest · Мебель/);
    await anna.presses('Проверить');
    await anna.sees('Проверил: Мебель отвечает');
    await anna.presses('Переименовать');
    anna.says('Главная доска');
    await anna.sees('Теперь оно называется «Главная доска».');
  }

  async function hasNoBoardYet(): Promise<void> {
    const anna = await asked([]);
    const { payload } = await signIn(anna);
    pinterest.faults.add({ match: 'GET /v5/boards', times: 1, fault: { kind: 'status', status: 403 } });
    anna.says(`/start ${payload}`);
    await anna.sees(/Досок пока не видно/);
    pinterest.faults.clear();
    await anna.presses('Проверить снова');
    await anna.sees('Создайте доску в Pinterest');
    pinterest.world.addBoard({ name: 'Первая', owner: accountOf(anna) });
    await anna.presses('Проверить снова');
    await anna.presses('Первая');
    await anna.sees('Pinterest · Первая — подключено');
  }

  /** E21. */
  async function refuses(): Promise<void> {
    const anna = await asked(['Мебель']);
    const { status } = await signIn(anna, { refuses: true });
    expect(status).toBe('refused');
    await anna.sees(/^Не удалось подключиться\. Вы не дали доступ в Pinterest/);
    expect(anna.labels()).toEqual(['Ещё раз', 'К подключениям']);
  }

  /** E20: what Pinterest gave was kept for half an hour. */
  async function comesTooLate(): Promise<void> {
    const anna = await asked(['Мебель']);
    const { payload, nonce } = await signIn(anna);
    await bot.app.sql`delete from key_values where key like ${`%pinterest_auth:${nonce}`}`;
    anna.says(`/start ${payload}`);
    await anna.sees(/^Не удалось подключиться\. Вход в Pinterest не завершён или занял больше 30 минут/);
  }

  async function wantsSomebodyElsesBoard(): Promise<void> {
    const boris = await asked(['Общая']);
    const first = await signIn(boris);
    boris.says(`/start ${first.payload}`);
    await boris.presses('Общая');
    await boris.sees('подключено');
    const anna = await asked([]);
    const second = await signIn(anna, { account: accountOf(boris) });
    anna.says(`/start ${second.payload}`);
    await anna.presses('Общая');
    await anna.sees(/^Не удалось подключиться\. «Общая» уже есть у другого пользователя/);
  }

  async function losesTheBoard(): Promise<void> {
    const anna = await asked(['Удалят', 'Останется']);
    const { payload } = await signIn(anna);
    anna.says(`/start ${payload}`);
    await anna.sees('На какую доску');
    pinterest.world.removeBoard(pinterest.world.boards(accountOf(anna))[0]!.id);
    await anna.presses('Удалят');
    await anna.sees(/^Этой доски в Pinterest больше нет/);
    await anna.presses('Обновить список');
    await anna.sees(/^Подключение Pinterest \(2\/2\)\n\nНа какую доску/);
    await anna.presses('Останется');
    await anna.sees('подключено');
  }

  async function changesTheirMind(): Promise<void> {
    const anna = await asked(['Мебель']);
    await anna.presses('Отмена');
    await anna.sees('Подключение отменено');
    await opens(anna, 'pinterest');
    const { payload } = await signIn(anna);
    anna.says(`/start ${payload}`);
    await anna.sees('На какую доску');
    await anna.presses('Отмена');
    await anna.sees('Подключение отменено');
  }

  async function meetsABrokenStore(): Promise<void> {
    const anna = await newcomer();
    await bot.app.sql`alter table key_values rename to key_values_away`;
    try {
      await anna.forges(`project:${anna.projectId}:conn_add:pinterest`);
      await anna.sees('Не удалось подключиться.');
    } finally {
      await bot.app.sql`alter table key_values_away rename to key_values`;
    }
  }

  async function asked(boards: string[]) {
    const anna = await newcomer();
    const username = accountOf(anna);
    pinterest.world.addAccount({ username, accountType: 'BUSINESS' });
    for (const name of boards) pinterest.world.addBoard({ name, owner: username });
    await opens(anna, 'pinterest');
    return anna;
  }

  function signIn(anna: Newcomer, { refuses = false, account = accountOf(anna) } = {}) {
    return signInAtPinterest(bot, pinterest, anna, refuses ? null : account);
  }
}

const accountOf = ({ id }: { id: number }): string => `user${id}`;

async function opens(anna: Newcomer, platform: 'vk' | 'pinterest'): Promise<void> {
  await anna.forges(`project:${anna.projectId}:conn_add:${platform}`);
  await anna.sees(`Подключение ${platform === 'vk' ? 'VK' : 'Pinterest'} (1/2)`);
}

/** Of the only connection of a project; null when there is none. */
async function credentialsIn({ app }: PlayedBot['bot'], userId: number, projectId: number): Promise<unknown> {
  const connections = makeConnections(app.sql, testSealing);
  const [only] = (await connections.list(userId, projectId)) ?? [];
  return only ? connections.credentials(userId, only.id) : null;
}
