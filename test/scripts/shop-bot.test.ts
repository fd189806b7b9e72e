import { describe, expect, it } from 'vitest';
import { makeWorkspaces } from '../../src/autopost/store/workspaces.ts';
import { startMaxStandIn } from '../../src/sandbox/max/start.ts';
import { parseCommand } from '../../src/scripts/autopost/parse-command.ts';
import { makeRunSubcommand } from '../../src/scripts/autopost/run-subcommand.ts';
import { shopSubcommands } from '../../src/scripts/shop-bot/subcommands.ts';
import { sealing } from '../autopost/store/a-workspace.ts';
import { forEachDatabase } from '../support/stores.ts';

forEachDatabase((sql) => {
  const run = async (...args: string[]) => {
    const command = parseCommand(shopSubcommands, args);
    if ('help' in command) return { exitCode: 0, text: command.help, data: null };
    return makeRunSubcommand({ sql: sql(), sealing })(command.request);
  };
  const rule = (text: string) =>
    JSON.stringify({
      ...{ rule_id: 'gift', intent: 'gift', priority: 50 },
      pattern: { keywords: ['подарок'] },
      response_template: text,
    });

  describe('npm run shop-bot', () => {
    it('makes the shop of the demo once, and says which rule would answer and why the others would not', async () => {
      expect((await run('demo', '--dry-run')).text).toContain('nothing was changed');
      expect((await run('demo')).text).toContain('rules');
      expect((await run('demo')).text).toContain('is there already');
      const { text, data } = await run('test', 'хочу вернуть деньги на карту', '--workspace', 'demo-shop');
      expect(text).toContain('returns, version 1, answers');
      expect(text).toContain('"карт" is in the text, but returns comes first');
      expect(data).toMatchObject({ winner: { rule_id: 'returns' } });
      const inState = await run('test', 'ТС-1', '--workspace', 'demo-shop', '--state', 'returns_order');
      expect(inState.text).toContain('returns_order, version 1, answers');
    });

    it('adds a rule, changes it as a new version, and switches it off', async () => {
      await run('demo');
      const add = (text: string, ...more: string[]) =>
        run('add-rule', '--workspace', 'demo-shop', '--rules', rule(text), ...more);
      expect((await add('Завернём', '--dry-run')).data).toMatchObject({ would: [{ outcome: 'added' }] });
      expect((await add('Завернём')).data).toMatchObject([{ version: 1, outcome: 'added' }]);
      expect((await add('Завернём красиво')).data).toMatchObject([{ version: 2, outcome: 'changed' }]);
      expect((await run('rules', '--workspace', 'demo-shop')).text).toContain('gift');
      expect((await run('disable-rule', '--workspace', 'demo-shop', '--rule', 'gift')).text).toContain(
        'is off',
      );
      expect((await run('disable-rule', '--workspace', 'demo-shop', '--rule', 'gift')).exitCode).toBe(1);
      expect((await run('rules', '--workspace', 'demo-shop', '--all')).text).toContain('2 (off)');
    });

    it('refuses a rule that MAX could not show, naming it', async () => {
      await run('demo');
      const { exitCode, text } = await run(
        'add-rule',
        '--workspace',
        'demo-shop',
        '--rules',
        rule('<b>не закрыт'),
      );
      expect([exitCode, text]).toEqual([2, expect.stringContaining('gift: ')]);
    });

    it('sets the webhook with MAX under a new secret, and removes the older ones', async () => {
      const max = await startMaxStandIn();
      const bot = max.world.addBot({ token: 'own-token', name: 'Магазин' });
      await run('add-bot', '--workspace', 'lamps', '--name', 'Лампы', '--token', 'own-token');
      const subscribe = (...more: string[]) =>
        run('subscribe', '--workspace', 'lamps', '--url', 'https://bot.example/', '--max', max.url, ...more);
      await subscribe('--dry-run');
      expect(max.updates.subscriptions(bot)).toEqual([]);
      await subscribe();
      const [first] = max.updates.subscriptions(bot);
      expect(first?.url).toMatch(/^https:\/\/bot\.example\/api\/max\/bot-[0-9a-f]{12}$/u);
      expect((await subscribe()).data).toMatchObject({ removed: [first?.url] });
      expect(max.updates.subscriptions(bot)).toHaveLength(1);
      const endpoints = await sql()`
        select from workspace_endpoints where workspace_id = 'lamps' and enabled and kind = 'bot_webhook'`;
      expect(endpoints).toHaveLength(1);
      await run('unsubscribe', '--workspace', 'lamps', '--max', max.url);
      expect(max.updates.subscriptions(bot)).toEqual([]);
      await max.close();
    });

    it('shows logs and answers, and settles one whose result was lost', async () => {
      await run('demo');
      await makeWorkspaces(sql(), sealing).save('demo-shop', 'Тёплый свет');
      await sql()`
        insert into bot_outbox (workspace_id, chat_id, inbound_provider_message_id, response_hash, payload, status)
        values ('demo-shop', '5', 'mid', 'h', '{"text": "Ответ"}', 'unknown') on conflict do nothing`;
      const { data } = await run('outbox', '--workspace', 'demo-shop', '--status', 'unknown');
      const [{ id }] = data as [{ id: number }];
      const settle = () => run('settle', '--workspace', 'demo-shop', '--answer', String(id), '--as', 'sent');
      expect((await settle()).text).toContain('counts as sent');
      expect((await settle()).exitCode).toBe(1);
      expect((await run('logs', '--workspace', 'demo-shop')).text).toBe('no messages yet');
      expect((await run('help')).text).toContain('npm run shop-bot -- <subcommand>');
      expect((await run('test', '--help')).text).toContain('npm run shop-bot -- test');
    });
  });
});
