import { expect } from 'vitest';
import { addCategory } from '../support/accounts.ts';
import { buysAndGoesOn } from '../support/buys.ts';
import { always, LONG, type PlayedBot } from '../support/played-bot.ts';

/** People who look at a competitor: what they see, what it costs, what stays with the project. */
export async function playCompetitorAnalysis(played: PlayedBot): Promise<void> {
  const { bot, models, suppliers } = played;
  const { sql } = bot.app;
  await Promise.all([typesBadly(), changesTheirMind(), isNotLet(), addsGapsAndKeeps(), losesTheCategory()]);
  await cannotBeRead();
  await outlivesTheProcess();

  async function typesBadly(): Promise<void> {
    const anna = await asked();
    anna.says('соперник');
    await anna.sees(/^Введите корректный URL сайта конкурента/);
    suppliers.firecrawl.moods.set('lezhit.example', 'down');
    anna.says('https://lezhit.example');
    await anna.sees(/^Введите корректный URL сайта конкурента\nСайт недоступен/);
    anna.says('rival-one.example');
    await anna.sees(/Адрес: https:\/\/rival-one\.example.*Стоимость: 50 токенов.*На балансе: 1.500 токенов/s);
    const release = models.hold('competitor_analysis', anna.company);
    await anna.presses('Анализировать');
    await anna.sees(/✓ Читаю сайт конкурента\n▸ Сравниваю/, LONG);
    await anna.sees('Дольше обычного', LONG);
    release();
    await anna.sees(/Анализ конкурента · rival-one\.example.*Что сделать вам.*Списано 50 токенов/s, LONG);
    await anna.presses('К проекту');
    await anna.sees('Кухни');
    expect(await anna.balance()).toBe(1_450);
    await anna.presses('Анализ сайта');
    await anna.presses('Прошлые анализы');
    await anna.presses(/rival-one/);
    await anna.sees(/Анализ конкурента · rival-one\.example/);
  }

  async function changesTheirMind(): Promise<void> {
    const anna = await asked();
    await anna.presses('Отмена');
    await anna.sees('Анализ конкурента отменён.');
    await anna.presses(/Анализ конкурента/);
    await anna.sees('Пришлите адрес');
    anna.says('rival-two.example');
    await anna.sees('Стоимость: 50');
    await anna.presses('Другой адрес');
    await anna.sees('Пришлите адрес');
    anna.says('rival-three.example');
    await anna.sees('rival-three.example');
    await anna.presses('Отмена');
    await anna.sees('Анализ конкурента отменён.');
    expect(await anna.balance()).toBe(1_500);
  }

  /** E25 and E38b: nothing is charged, and no page is read. */
  async function isNotLet(): Promise<void> {
    const anna = await atThePrice('poor-rival.example');
    const limit = `rate:${anna.id}:text_generation`;
    await sql`insert into key_values (key, value, expires_at) values (${limit}, '100', now() + interval '1 hour')`;
    await anna.presses('Анализировать');
    await anna.sees(/^⚠ Слишком часто: не больше 100 текстов в час.*poor-rival/s);
    await sql`delete from key_values where key = ${limit}`;
    await sql`select charge_balance(${anna.id}, 1490, ${`spent:${anna.id}`}, 'review')`;
    await anna.presses('Анализировать');
    await anna.sees(/^⚠ Недостаточно токенов\. Нужно 50, у вас 10\./);
    expect(anna.labels()).toContain('Анализировать');
    expect(await anna.balance()).toBe(10);
    expect(await costsOf(anna.id)).toBe(0);
    await buysAndGoesOn(bot, anna, 'mini');
    await anna.sees(/Анализ конкурента · .*На балансе: 1.010 токенов/s);
    expect(anna.labels()).not.toContain('Пополнить');
  }

  async function addsGapsAndKeeps(): Promise<void> {
    const anna = await atTheResults('kuhni-rival.example');
    await anna.presses(/во фразы «Кухни на заказ»/);
    await anna.sees(/✓ Во фразы категории «Кухни на заказ» добавлено: \d+ тем/);
    const [stored] = await sql`
      select (keyword_counts(keywords)).clusters from categories where id = ${anna.categoryId}`;
    expect(stored?.clusters).toBeGreaterThanOrEqual(3);
    await anna.presses('Сохранить файлом');
    await anna.sees('Анализ конкурента');
    await expect
      .poll(() => anna.messages().flatMap(({ document }) => document?.file_name ?? []))
      .toEqual(['konkurent-kuhni-rival.example.txt']);
    // Once more from the page: everything is there already.
    await anna.presses(/во фразы «Кухни на заказ»/);
    await anna.sees('эти темы уже есть');
  }

  async function losesTheCategory(): Promise<void> {
    const anna = await atTheResults('other-rival.example');
    await sql`delete from categories where id = ${anna.categoryId}`;
    await anna.presses(/во фразы «Кухни на заказ»/);
    await anna.sees('Этой категории больше нет.');
  }

  /** E31b. */
  async function cannotBeRead(): Promise<void> {
    const anna = await atThePrice('closed-rival.example');
    suppliers.firecrawl.faults.add({
      match: 'scrape',
      times: always,
      fault: { kind: 'status', status: 402 },
    });
    await anna.presses('Анализировать');
    await anna.sees(/^Анализ конкурентов недоступен\. Попробуйте позже\..*Вернулось 50 токенов/s, LONG);
    expect(await anna.balance()).toBe(1_500);
    expect([...(await sql`select 1 from competitor_analyses where project_id = ${anna.projectId}`)]).toEqual(
      [],
    );
    played.mend();
    await anna.presses('Повторить');
    await anna.sees('Пришлите адрес');
  }

  async function outlivesTheProcess(): Promise<void> {
    const anna = await atThePrice('long-rival.example');
    models.hold('competitor_analysis', anna.company);
    await anna.presses('Анализировать');
    await anna.sees('▸ Сравниваю', LONG);
    await bot.restart(0);
    played.mend();
    await bot.app.sql`update operations set lease_until = clock_timestamp() where status = 'running'`;
    await anna.sees('Анализ конкурента · long-rival.example', LONG);
    expect(await anna.balance()).toBe(1_450);
    const kept = await bot.app.sql`select 1 from competitor_analyses where project_id = ${anna.projectId}`;
    expect(kept.count).toBe(1);
  }

  async function atTheResults(address: string) {
    const anna = await atThePrice(address);
    await anna.presses('Анализировать');
    await anna.sees('Анализ конкурента', LONG);
    return anna;
  }

  async function atThePrice(address: string) {
    const anna = await asked();
    anna.says(address);
    await anna.sees('Стоимость: 50');
    return anna;
  }

  async function asked() {
    const anna = await played.newcomer();
    const categoryId = await addCategory(bot, anna.projectId, 'Кухни на заказ');
    await anna.forges(`project:${anna.projectId}:competitor`);
    await anna.sees('Пришлите адрес');
    return Object.assign(anna, { categoryId });
  }

  async function costsOf(userId: number): Promise<number> {
    const rows = await sql`
      select 1 from token_expenses where user_id = ${userId} and operation_type like 'api_%'`;
    return rows.count;
  }
}

/** People who have their own site looked at. */
export async function playSiteAudit(played: PlayedBot): Promise<void> {
  const { bot, suppliers } = played;
  const { sql } = bot.app;
  await Promise.all([isNotLet(), looksTwice()]);
  await waits();
  await failsAtFirst();
  await outlivesTheProcess();

  async function looksTwice(): Promise<void> {
    const anna = await offered('twice.example');
    await anna.presses('Отмена');
    await anna.sees('Аудит отменён.');
    await anna.presses(/Запустить/);
    await anna.sees('Стоимость: 50 токенов');
    await anna.presses('Проверить');
    await anna.sees(/^Готово\. Списано 50 токенов.*twice\.example.*Скорость: \d+\/100/s, LONG);
    expect(anna.screen()?.photo, 'the audit is sent as a picture').toBeDefined();
    expect(await anna.balance()).toBe(1_450);
    await sql`update site_audits set performance = 10 where project_id = ${anna.projectId}`;
    await anna.presses(/Проверить снова/);
    await anna.sees('Стоимость: 50 токенов');
    await anna.presses('Проверить');
    await anna.sees(/прошлый аудит.*Скорость: \d+\/100 \(\+\d+\)/s, LONG);
  }

  /** E01 and E25. */
  async function isNotLet(): Promise<void> {
    const anna = await offered('poor.example');
    const limit = `rate:${anna.id}:site_audit`;
    await sql`insert into key_values (key, value, expires_at) values (${limit}, '50', now() + interval '1 hour')`;
    await anna.presses('Проверить');
    await anna.sees(/^⚠ Слишком часто: не больше 50 аудитов в час/);
    await sql`delete from key_values where key = ${limit}`;
    await sql`select charge_balance(${anna.id}, 1490, ${`spent:${anna.id}`}, 'review')`;
    await anna.presses('Проверить');
    await anna.sees(/^⚠ Недостаточно токенов\. Нужно 50, у вас 10\./);
    expect(await anna.balance()).toBe(10);
    await buysAndGoesOn(bot, anna, 'mini');
    await anna.sees(/Аудит сайта · .*На балансе: 1.010 токенов/s);
    expect(anna.labels()).not.toContain('Пополнить');
  }

  async function waits(): Promise<void> {
    const anna = await offered('slow.example');
    suppliers.pageSpeed.faults.add({ match: 'runPagespeed', fault: { kind: 'hang' } });
    await anna.presses('Проверить');
    await anna.sees('Google открывает сайт', LONG);
    await anna.sees('Дольше обычного', LONG);
    played.mend();
    await anna.sees('slow.example', LONG);
  }

  async function failsAtFirst(): Promise<void> {
    const anna = await offered('broken.example');
    suppliers.pageSpeed.moods.set('broken.example', 'runtime-error');
    await anna.presses('Проверить');
    await anna.sees(/^Проверить broken\.example не получилось\..*Вернулось 50 токенов/s, LONG);
    expect(await anna.balance()).toBe(1_500);
    suppliers.pageSpeed.moods.clear();
    await anna.presses('Повторить');
    await anna.sees('Стоимость: 50 токенов');
  }

  async function outlivesTheProcess(): Promise<void> {
    const anna = await offered('killed.example');
    suppliers.pageSpeed.faults.add({ match: 'runPagespeed', times: always, fault: { kind: 'hang' } });
    await anna.presses('Проверить');
    await anna.sees('Проверяю');
    await bot.restart(0);
    played.mend();
    await bot.app.sql`update operations set lease_until = clock_timestamp() where status = 'running'`;
    await anna.sees(/Списано 50 токенов/, LONG);
    expect(await anna.balance()).toBe(1_450);
  }

  async function offered(site: string) {
    const anna = await played.newcomer();
    await sqlNow()`update projects set website_url = ${`https://${site}`} where id = ${anna.projectId}`;
    await anna.forges(`project:${anna.projectId}:audit`);
    await anna.sees('ещё не проверялся');
    await anna.presses(/Запустить/);
    await anna.sees(/Аудит сайта.*Стоимость: 50 токенов.*На балансе: 1.500 токенов/s);
    return anna;
  }

  /** A restarted bot has another connection. */
  function sqlNow() {
    return bot.app.sql;
  }
}
