import { expect } from 'vitest';
import { addProject } from '../support/accounts.ts';
import { grantAccess } from '../support/grant-access.ts';
import { PASSWORD, type PlayedBot } from '../support/played-bot.ts';

type Newcomer = Awaited<ReturnType<PlayedBot['newcomer']>>;

export async function playConnectWordPress({ bot, newcomer, nextSite, wordpress }: PlayedBot): Promise<void> {
  await Promise.all([
    answersBadlyFirst(),
    takesTheirOwnSite(),
    hasItInAnotherProject(),
    allowsItOnTheSite(),
    triesTooOften(),
    changesTheirMind(),
    isRefused(),
  ]);

  async function answersBadlyFirst(): Promise<void> {
    const { anna, site } = await asked();
    anna.says('это не адрес');
    await anna.sees(/^Это не похоже на адрес сайта/);
    wordpress.faults.add({ match: `/${site.path}/`, times: 20, fault: { kind: 'reset' } });
    anna.says(site.address);
    await anna.sees(/^Сайт недоступен\. Проверьте URL\nСайт не отвечает.*\(1\/3\)/s);
    wordpress.faults.clear();
    await anna.presses('Проверить ещё раз');
    await anna.sees('(2/3)');
    await anna.presses('Другой адрес');
    await anna.sees('(1/3)');
    anna.says(site.address);
    await anna.sees('(2/3)');
    anna.says('a'.repeat(101));
    await anna.sees(/^Введите логин WordPress/);
    anna.says('admin');
    await anna.sees('(3/3)');
    await anna.presses('Как получить');
    await anna.sees('Как получить пароль приложения:');
    anna.says('мой обычный пароль');
    await anna.sees(/^Введите Application Password из WordPress/);
    await anna.presses('Другой логин');
    await anna.sees('(2/3)');
    anna.says('admin');
    await anna.sees('(3/3)');
    anna.says(PASSWORD);
    await anna.sees(`${site.identifier} подключён к проекту «Кухни».`);
    expect(await connectionsOf(anna)).toEqual([{ identifier: site.identifier, status: 'active' }]);

    await anna.presses('К подключениям');
    await anna.presses(/WordPress · /);
    await anna.presses('Переподключить');
    await anna.sees('(2/3)');
    await completes(anna);
    await anna.sees('подключён к проекту');
    expect(await connectionsOf(anna), 'the same one with another password').toHaveLength(1);
  }

  async function takesTheirOwnSite(): Promise<void> {
    const site = nextSite();
    const anna = await newcomer();
    await bot.app.sql`update projects set website_url = ${site.address} where id = ${anna.projectId}`;
    await opens(anna, anna.projectId);
    await anna.presses(/^Взять /);
    await anna.sees('(2/3)');
    await completes(anna);
    await anna.sees('подключён к проекту');
  }

  /** E41. */
  async function hasItInAnotherProject(): Promise<void> {
    const { anna, site } = await asked();
    anna.says(site.address);
    await anna.sees('(2/3)');
    await completes(anna);
    await anna.sees('подключён к проекту «Кухни».');
    const second = await addProject(bot, anna, 'Шкафы');
    await opens(anna, second);
    anna.says(site.address);
    await anna.sees('уже подключён к вашему проекту «Кухни».');
    await anna.presses('Другой адрес');
    await anna.sees('(1/3)');
    anna.says(site.address);
    await anna.sees('уже подключён к вашему проекту «Кухни».');
    await anna.presses('Отмена');
    await anna.sees(/^Подключение отменено, ничего не сохранено\./);
    expect(await connectionsOf(anna)).toHaveLength(1);
    await opens(anna, second);
    anna.says(site.address);
    await anna.presses('Подключить');
    await anna.sees('(2/3)');
    await completes(anna);
    await anna.sees('подключён к проекту «Шкафы».');
    expect(await connectionsOf(anna)).toHaveLength(2);
  }

  async function allowsItOnTheSite(): Promise<void> {
    const { anna, site } = await asked();
    anna.says(site.address);
    await anna.sees('(2/3)');
    await anna.presses('Я разрешил');
    await anna.sees(/^Разрешение с сайта пока не пришло/);
    await grantAccess(bot, anna);
    await anna.sees('подключён к проекту');
  }

  /** E25: nothing was tried, the password is still there. */
  async function triesTooOften(): Promise<void> {
    const { anna, site } = await asked();
    anna.says(site.address);
    await anna.sees('(2/3)');
    const limit = `rate:${anna.id}:platform_connection`;
    await bot.app.sql`
      insert into key_values (key, value, expires_at) values (${limit}, '100', now() + interval '1 hour')`;
    await completes(anna);
    await anna.sees(/^Слишком часто: не больше 100 подключений в час.*\(3\/3\)/s);
    expect(await connectionsOf(anna)).toEqual([]);
    await bot.app.sql`delete from key_values where key = ${limit}`;
    await anna.presses('Ещё раз');
    await anna.sees('подключён к проекту');
  }

  async function changesTheirMind(): Promise<void> {
    const { anna, site } = await asked();
    const steps = [[], [site.address], [site.address, 'admin']];
    for (const [i, said] of steps.entries()) {
      for (const [n, words] of said.entries()) {
        anna.says(words);
        await anna.sees(`(${n + 2}/3)`);
      }
      if (i % 2 === 0) await anna.presses('Отмена');
      else anna.says('/cancel');
      await anna.sees(/^Подключение отменено, ничего не сохранено\./);
      await opens(anna, anna.projectId);
    }
    expect(await connectionsOf(anna)).toEqual([]);
  }

  async function isRefused(): Promise<void> {
    const { anna, site } = await asked();
    anna.says(site.address);
    await anna.sees('(2/3)');
    anna.says('admin');
    await anna.sees('(3/3)');
    anna.says('aaaa bbbb cccc dddd eeee ffff');
    await anna.sees(/^Не удалось подключиться\. Сайт не принял логин или пароль/);
    expect(anna.labels()).toEqual(['Ещё раз', 'К подключениям']);
    expect(await connectionsOf(anna)).toEqual([]);
  }

  async function asked() {
    const anna = await newcomer();
    await opens(anna, anna.projectId);
    return { anna, site: nextSite() };
  }

  async function opens(anna: Newcomer, projectId: number): Promise<void> {
    await anna.forges(`project:${projectId}:conn_add:wordpress`);
    await anna.sees('Подключение WordPress (1/3)');
  }

  async function completes(anna: Newcomer): Promise<void> {
    anna.says('admin');
    await anna.sees('(3/3)');
    anna.says(PASSWORD);
  }

  async function connectionsOf({ id }: Newcomer) {
    return [
      ...(await bot.app.sql`
        select n.identifier, n.status from platform_connections n join projects p on p.id = n.project_id
        where p.user_id = ${id} order by n.id`),
    ];
  }
}
