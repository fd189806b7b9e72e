import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closeServer, listen } from '../../src/http/server.ts';
import { type FirecrawlStandIn, startFirecrawlStandIn } from '../../src/sandbox/firecrawl/start.ts';
import { startWordPressStandIn, type WordPressStandIn } from '../../src/sandbox/wordpress/start.ts';
import { keptLog } from '../services/pictures/kept-log.ts';
import { addProject, personWithProjects } from '../support/accounts.ts';
import { grounds, startBot, type TestBot } from '../support/bot.ts';
import { grantAccess } from '../support/grant-access.ts';
import type { ScriptedPerson } from '../support/person.ts';

const PASSWORD = 'sand boxa dmin pass word 0001';
const KEY = 'no-secret';

describe.each(grounds)('a WordPress site, %s', (ground) => {
  const { log, lines } = keptLog();
  let bot: TestBot;
  let wordpress: WordPressStandIn;
  let reader: FirecrawlStandIn;
  let sites = 0;

  beforeAll(async () => {
    const paths = Array.from({ length: 20 }, (_, i) => `site${i + 1}`);
    wordpress = await startWordPressStandIn({ sites: Object.fromEntries(paths.map((path) => [path, {}])) });
    reader = await startFirecrawlStandIn({ apiKey: KEY });
    const env = { FIRECRAWL_BASE_URL: `${reader.url}/v2`, FIRECRAWL_API_KEY: KEY };
    bot = await startBot(ground, env, log);
  });
  afterEach(() => wordpress.faults.clear());
  afterAll(async () => {
    await bot.stop();
    await Promise.all([wordpress.close(), reader.close()]);
  });

  it('is connected by three answers, and the bot looks around on it', async () => {
    const { anna, address, identifier } = await asked();
    expect(anna.labels(), 'only what there is a way for').toEqual(['Отмена']);
    anna.says(address);
    await anna.sees('Подключение WordPress (2/3)');
    anna.says('admin');
    await anna.sees('Подключение WordPress (3/3)');
    anna.says(PASSWORD);
    await anna.sees(`${identifier} подключён к проекту «Ромашка».`);
    await anna.presses('К подключениям');
    await anna.sees(`● WordPress · ${identifier} — работает`);
    await expect
      .poll(async () => {
        await anna.presses(/WordPress · /);
        const { text } = await anna.sees('Страниц для ссылок:');
        await anna.presses('К подключениям');
        return text;
      })
      .toMatch(/Страниц для ссылок: \d+\nЦвета сайта: #/);
  });

  it('leaves the password nowhere: not in the chat, the session, the database or the log', async () => {
    const { anna, address } = await asked();
    anna.says(address);
    await anna.sees('(2/3)');
    anna.says('admin');
    await anna.sees('(3/3)');
    anna.says('мой обычный пароль');
    await anna.sees(/^Введите Application Password из WordPress/);
    wordpress.faults.add({ match: 'users/me', fault: { kind: 'slow', ms: 1_000 } });
    anna.says(PASSWORD);
    await anna.sees('Проверяю доступ');
    expect(JSON.stringify(await bot.app.sessions.peek(anna.id))).not.toContain('sand boxa');
    await anna.sees('подключён к проекту');
    const said = anna.messages().map(({ text }) => text);
    expect(said).not.toContain(PASSWORD);
    expect(said).not.toContain('мой обычный пароль');
    const tables = await bot.app.sql`
      select (select json_agg(t) from platform_connections t)::text
        || coalesce((select json_agg(t) from operations t)::text, '')
        || coalesce((select json_agg(t) from key_values t)::text, '')
        || coalesce((select json_agg(t) from fsm_storage t)::text, '') as everything`;
    for (const place of [JSON.stringify(tables), JSON.stringify(lines)]) {
      expect(place.length).toBeGreaterThan(100);
      expect(place).not.toMatch(/sand ?boxa ?dmin|обычный/u);
    }
  });

  it('is connected by one press on the site itself, and nothing more in the chat', async () => {
    const { anna, address, identifier } = await asked();
    anna.says(address);
    await anna.sees('(2/3)');
    await anna.presses('Я разрешил');
    await anna.sees(/^Разрешение с сайта пока не пришло/);
    const page = await grantAccess(bot, anna);
    expect(page).toContain('Доступ разрешён');
    await anna.sees(`${identifier} подключён к проекту «Ромашка».`);
    expect(wordpress.site(pathOf(address)).users.values()).toHaveLength(2);
  });

  it('E41: is connected to a second project after the person said so', async () => {
    const { anna, address, identifier } = await connected();
    const second = await addProject(bot, anna, 'Букеты');
    await anna.forges(`project:${second}:conn_add:wordpress`);
    anna.says(address);
    await anna.sees(`${identifier} уже подключён к вашему проекту «Ромашка».`);
    await anna.presses('Отмена');
    await anna.sees(/^Подключение отменено, ничего не сохранено\./);
    await anna.forges(`project:${second}:conn_add:wordpress`);
    anna.says(address);
    await anna.presses('Подключить');
    await anna.sees('(2/3)');
    await completes(anna);
    await anna.sees(`${identifier} подключён к проекту «Букеты».`);
  });

  it('X24: is refused to another person', async () => {
    const { address, identifier } = await connected();
    const boris = await inProject('Борис');
    boris.says(address);
    await boris.sees('(2/3)');
    await completes(boris);
    await boris.sees(`Не удалось подключиться. «${identifier}» уже есть у другого пользователя`);
    await boris.presses('К подключениям');
    await boris.sees('Пока ничего не подключено.');
  });

  it('says what is wrong, keeps nothing, and offers another try', async () => {
    const { anna, address } = await asked();
    anna.says(address);
    await anna.sees('(2/3)');
    anna.says('admin');
    await anna.sees('(3/3)');
    anna.says('aaaa bbbb cccc dddd eeee ffff');
    await anna.sees(/^Не удалось подключиться\. Сайт не принял логин или пароль.*Ничего не сохранено/s);
    await anna.presses('Ещё раз');
    await anna.sees('(1/3)');
    expect(
      await bot.app
        .sql`select 1 from platform_connections n join projects p on p.id = n.project_id where p.user_id = ${anna.id}`,
    ).toEqual([]);
  });

  it('is asked for again when there is nothing at the address, or no WordPress', async () => {
    const empty = createServer((_, response) => response.end('<h1>Лендинг</h1>'));
    const port = await listen(empty, 0, '127.0.0.1');
    const { anna } = await asked();
    anna.says(`http://127.0.0.1:${port}`);
    await anna.sees(/^На этом адресе не нашлось WordPress.*\(1\/3\)/s);
    await closeServer(empty);
    anna.says(`http://127.0.0.1:${port}`);
    await anna.sees(/^Сайт недоступен\. Проверьте URL\nСайт не отвечает.*\(1\/3\)/s);
    anna.says('это не адрес');
    await anna.sees(/^Это не похоже на адрес сайта\..*\n\nПодключение WordPress \(1\/3\)/);
    bot.telegram.people.sticker(anna.id);
    await anna.sees(/^Пожалуйста, отправьте текстовое сообщение\n\nПодключение WordPress/);
    anna.says('/cancel');
    await anna.sees(/^Подключение отменено.*Подключения · Ромашка/s);
  });

  it('asks nothing of a person who went away while it was looked at', async () => {
    const { anna, address } = await asked();
    wordpress.faults.add({ match: 'wp-json', fault: { kind: 'slow', ms: 1_000 } });
    anna.says(address);
    await anna.sees('Открываю');
    anna.says('/start');
    await anna.sees('Подключение WordPress осталось незаконченным, ничего не сохранено.');
    expect(anna.labels()).toEqual(['К подключениям', 'Меню']);
  });

  it('shows how to make an application password, in place', async () => {
    const { anna, address } = await asked();
    anna.says(address);
    await anna.sees('(2/3)');
    anna.says('admin');
    await anna.sees('(3/3)');
    await anna.presses('Как получить');
    await anna.sees(/\(3\/3\).*Как получить пароль приложения:.*wp-admin\/profile\.php/s);
    anna.says(PASSWORD);
    await anna.sees('подключён к проекту');
  });

  it('is checked, repaired and deleted from its page', async () => {
    const { anna, address, identifier } = await connected();
    const site = wordpress.site(pathOf(address));
    await anna.presses('К подключениям');
    await anna.presses(/WordPress · /);
    await anna.presses('Проверить');
    await anna.sees(`Проверил: ${identifier} отвечает`);
    site.change({ applicationPasswords: false });
    await anna.presses('Проверить');
    await anna.sees(/Состояние: ⚠ ошибка\nПричина: /);
    site.change({ applicationPasswords: true });
    await anna.presses('Переподключить');
    await anna.sees('(2/3)');
    await completes(anna);
    await anna.presses('К подключениям');
    await anna.sees('●');
    await anna.presses(/WordPress · /);
    await anna.presses('Удалить');
    await anna.sees(`Удалить подключение WordPress ${identifier}?`);
    await anna.presses('Да, удалить');
    await anna.sees(/^Подключение .* удалено\..*Пока ничего не подключено\./s);
  });

  it('takes rubrics and tags from the site, a word to search engines, and a kind of markup', async () => {
    const { anna, address } = await connected();
    const { terms } = wordpress.site(pathOf(address));
    await addRubric(address, 'Советы & уход');
    for (let n = 1; n <= 9; n += 1)
      terms.put(700 + n, { id: 700 + n, taxonomy: 'tags', name: `метка ${n}`, slug: `m-${n}` });
    await anna.presses('К подключениям');
    await anna.presses(/WordPress · /);
    await anna.presses('Настройки WordPress');
    await anna.sees('Рубрики: по названию категории');
    await anna.presses('Тип разметки');
    await anna.presses(/BlogPosting/);
    await anna.presses(/✓ Запись блога/);
    await anna.presses('Назад');
    await anna.presses('Рубрики');
    await anna.presses('Советы & уход');
    await anna.presses('✓ Советы & уход');
    await anna.presses(/^Советы & уход/);
    await anna.presses('Назад');
    await anna.presses('Метки');
    await anna.presses('▶');
    await anna.presses('метка 9');
    await anna.presses('✓ метка 9');
    await anna.presses(/^метка 9/);
    await anna.presses('◀');
    terms.remove(703);
    await anna.presses('метка 3');
    await anna.sees(/^Этой метки на сайте больше нет, список обновлён\./);
    terms.remove(709);
    await anna.presses('метка 4');
    await anna.sees('Отмечено, но на сайте этого больше нет: метка 9.');
    await anna.presses('✕ метка 9');
    wordpress.faults.add({ match: '/tags', times: 20, fault: { kind: 'status', status: 500 } });
    await anna.presses('метка 5');
    await anna.sees(/Метки не загрузились\. На сайте произошла внутренняя ошибка.*остаётся в силе/s);
    wordpress.faults.clear();
    await anna.presses('Ещё раз');
    await anna.presses('Назад');
    await anna.presses('Поисковикам');
    await anna.presses(/noindex/);
    await anna.presses(/✓ Не показывать/);
    await anna.presses('Назад');
    const chosen =
      'Рубрики: Советы & уход\nМетки: метка 4\nПоисковикам: Не показывать в поиске (noindex)\nТип разметки: Запись блога';
    await anna.sees(chosen);
    await anna.presses('Назад');
    await anna.sees(chosen);
  });

  // Where several processes may run, the next one waits longer before it takes the work over.
  it.runIf(ground === 'embedded')(
    'is connected once, though the bot was restarted in the middle',
    async () => {
      const { anna, address } = await asked();
      anna.says(address);
      await anna.sees('(2/3)');
      anna.says('admin');
      await anna.sees('(3/3)');
      wordpress.faults.add({ match: 'users/me', fault: { kind: 'hang' } });
      anna.says(PASSWORD);
      await anna.sees('Проверяю доступ');
      await bot.restart();
      // As if the half minute had passed that belongs to the process before.
      await bot.app.sql`update operations set lease_until = now() where status = 'running'`;
      await anna.sees('подключён к проекту');
      expect(
        await bot.app
          .sql`select 1 from platform_connections n join projects p on p.id = n.project_id where p.user_id = ${anna.id}`,
      ).toHaveLength(1);
    },
    30_000,
  );

  /** Before the first of the three questions. */
  async function asked() {
    const anna = await inProject('Анна');
    sites += 1;
    const address = wordpress.addressOf(`site${sites}`);
    return { anna, address, identifier: address.replace('http://', '') };
  }

  async function connected() {
    const start = await asked();
    start.anna.says(start.address);
    await start.anna.sees('(2/3)');
    await completes(start.anna);
    await start.anna.sees('подключён к проекту');
    return start;
  }

  async function inProject(name: string): Promise<ScriptedPerson> {
    const person = await personWithProjects(bot, ['Ромашка'], name);
    await person.presses('Проекты');
    await person.presses('Ромашка');
    await person.presses('Подключения');
    await person.presses('+ WordPress');
    await person.sees('Подключение WordPress (1/3)');
    return person;
  }

  async function completes(person: ScriptedPerson): Promise<void> {
    person.says('admin');
    await person.sees('(3/3)');
    person.says(PASSWORD);
  }
});

const pathOf = (address: string): string => new URL(address).pathname.slice(1);

async function addRubric(address: string, name: string): Promise<void> {
  const { status } = await fetch(`${address}/wp-json/wp/v2/categories`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name }),
  });
  expect(status).toBe(201);
}
