import { expect, it } from 'vitest';
import { forEachDatabase } from '../support/stores.ts';
import { aShop } from './a-shop.ts';

forEachDatabase((sql) => {
  const answers = (workspace: string, status: string, amount: number) => sql()`
    insert into bot_outbox (workspace_id, chat_id, inbound_provider_message_id, response_hash, payload, status)
    select ${workspace}, '1', ${status} || gen_random_uuid(), 'h', '{}', ${status} from generate_series(1, ${amount})`;

  it('tells once of unknown answers, again when they doubled, and anew after they were settled', async () => {
    const shop = await aShop(sql());
    const about = () => shop.told.filter((text) => text.includes('неизвестно'));
    await answers(shop.id, 'unknown', 2);
    await shop.bot.jobs.look();
    await shop.bot.jobs.look();
    await answers(shop.id, 'unknown', 1);
    await shop.bot.jobs.look();
    expect(about()).toHaveLength(1);
    expect(about()[0]).toContain(`--workspace ${shop.id}`);
    await answers(shop.id, 'unknown', 1);
    await shop.bot.jobs.look();
    expect(about()).toHaveLength(2);
    await sql()`update bot_outbox set status = 'sent' where workspace_id = ${shop.id}`;
    await shop.bot.jobs.look();
    await answers(shop.id, 'unknown', 1);
    await shop.bot.jobs.look();
    expect(about()).toHaveLength(3);
    await sql()`delete from bot_outbox where workspace_id = ${shop.id}`;
    await shop.close();
  });

  it('tells when more than 5 % of the answers of 15 minutes failed', async () => {
    const shop = await aShop(sql());
    const about = () => shop.told.filter((text) => text.includes('не ушло'));
    await answers(shop.id, 'sent', 95);
    await answers(shop.id, 'failed', 5);
    await shop.bot.jobs.look();
    expect(about()).toEqual([]);
    await answers(shop.id, 'failed', 2);
    await shop.bot.jobs.look();
    expect(about()).toHaveLength(1);
    await shop.close();
  });

  it('tells when more than 40 % of an hour’s messages had no rule, of 20 at least', async () => {
    const shop = await aShop(sql());
    const about = () => shop.told.filter((text) => text.includes('не понял'));
    const lines = (reply: string, amount: number) => sql()`
      insert into bot_logs (workspace_id, chat_id, message_text, state_before, state_after, response_preview, meta)
      select ${shop.id}, '1', '', 'default', 'default', '', jsonb_build_object('reply', ${reply}::text)
      from generate_series(1, ${amount})`;
    await lines('clarify', 19);
    await shop.bot.jobs.look();
    expect(about()).toEqual([]);
    await lines('escalate:no_match', 1);
    await shop.bot.jobs.look();
    expect(about()).toHaveLength(1);
    await shop.close();
  });

  it('tells when MAX has dropped the webhook', async () => {
    const shop = await aShop(sql(), { settings: { webhook: 'https://bot.example/api/max/bot' } });
    shop.standIn.updates.subscribe(shop.maxBot, { url: 'https://bot.example/api/max/bot' });
    await shop.bot.jobs.checkSubscriptions();
    expect(shop.told).toEqual([]);
    shop.standIn.updates.unsubscribe(shop.maxBot, 'https://bot.example/api/max/bot');
    await shop.bot.jobs.checkSubscriptions();
    await shop.bot.jobs.checkSubscriptions();
    expect(shop.told).toEqual([expect.stringContaining('subscribe --workspace')]);
    await shop.close();
  });

  it('forgets what customers said after 30 days, and keeps what an operator has to decide', async () => {
    const shop = await aShop(sql());
    const customer = shop.customer(1);
    await customer.say('доставка');
    await answers(shop.id, 'unknown', 1);
    await sql()`update bot_logs set ts = now() - interval '31 days' where workspace_id = ${shop.id}`;
    await sql()`update bot_outbox set created_at = now() - interval '31 days', status = case status when 'unknown'
      then 'unknown' else 'sent' end where workspace_id = ${shop.id}`;
    await shop.bot.jobs.purge();
    expect(await shop.logs()).toEqual([]);
    expect((await shop.outbox()).map(({ status }) => status)).toEqual(['unknown']);
    await sql()`delete from bot_outbox where workspace_id = ${shop.id}`;
    await shop.close();
  });
});
