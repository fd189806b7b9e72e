import { beforeEach, describe, expect, it } from 'vitest';
import { makeWorkspaces } from '../../src/autopost/store/workspaces.ts';
import { startMaxStandIn } from '../../src/sandbox/max/start.ts';
import { parseCommand } from '../../src/scripts/autopost/parse-command.ts';
import { makeRunSubcommand } from '../../src/scripts/autopost/run-subcommand.ts';
import { shopSubcommands } from '../../src/scripts/shop-bot/subcommands.ts';
import { sealing } from '../autopost/store/a-workspace.ts';
import { forEachDatabase } from '../support/stores.ts';
import { places } from './operate.ts';

forEachDatabase((sql) => {
  /** Of the process that does it. */
  let own: Partial<typeof places> = {};
  const run = (...args: string[]) => runWith('', ...args);
  const runWith = async (input: string, ...args: string[]) => {
    const command = await parseCommand(shopSubcommands, args, async () => input);
    if ('help' in command) return { exitCode: 0, text: command.help, data: null };
    return makeRunSubcommand({ sql: sql(), sealing, places: { ...places, ...own } })(command.request);
  };
  const rule = (text: string) =>
    JSON.stringify({
      ...{ rule_id: 'gift', intent: 'gift', priority: 50 },
      pattern: { keywords: ['подарок'] },
      response_template: text,
    });

  beforeEach(() => {
    own = {};
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

    it('takes rules from its input, as they were listed', async () => {
      await run('demo');
      await runWith(rule('Завернём'), 'add-rule', '--workspace', 'demo-shop', '--rules', '-');
      const { data } = await run('rules', '--workspace', 'demo-shop');
      const listed = JSON.stringify(data).replace('Завернём', 'Завернём красиво');
      const again = await runWith(listed, 'add-rule', '--workspace', 'demo-shop', '--rules', '-');
      expect(again.data).toContainEqual(
        expect.objectContaining({ ruleId: 'gift', outcome: 'changed', warnings: [] }),
      );
      expect(again.data).toContainEqual({ ruleId: 'returns', version: 1, outcome: 'same', warnings: [] });
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

    it('reaches MAX where the process that does it has it, and says in a line what MAX refuses', async () => {
      const max = await startMaxStandIn();
      own = { maxUrl: max.url };
      const bot = max.world.addBot({ token: 'own-token', name: 'Магазин' });
      await run('add-bot', '--workspace', 'chairs', '--name', 'Лампы', '--token', 'own-token');
      const subscribe = ['subscribe', '--workspace', 'chairs', '--url', 'https://bot.example'];
      expect((await run(...subscribe, '--reason', 'переезд')).exitCode).toBe(0);
      expect(max.updates.subscriptions(bot)).toHaveLength(1);
      const [noted] = await sql()`
        select meta ->> 'reason' as reason, meta ->> 'webhook' as webhook from events
        where workspace_id = 'chairs' and action = 'configured' order by ts desc, id desc limit 1`;
      expect(noted).toEqual({ reason: 'переезд', webhook: expect.stringContaining('https://bot.example') });

      await run('add-bot', '--workspace', 'chairs', '--token', 'no-such-token');
      const refused = await run(...subscribe);
      expect([refused.exitCode, refused.text]).toEqual([
        1,
        expect.stringMatching(/^MAX did not do it: .*401/u),
      ]);
      expect((await run('subscribe', '--workspace', 'chairs')).text).toContain('give --url or PUBLIC_URL');
      await max.close();
    });

    it('changes of a bot what is given, and leaves the rest: its entrance, its words, a stopped workspace', async () => {
      const bots = () => sql()<{ endpoint_id: string; meta: Record<string, unknown> }[]>`
        select endpoint_id, meta from workspace_endpoints where workspace_id = 'sofas' and enabled`;
      const missing = await run('add-bot', '--workspace', 'sofas', '--name', 'Лампы');
      expect([missing.exitCode, missing.text]).toEqual([
        2,
        expect.stringContaining('give its --name and --token'),
      ]);
      const settings = { vars: { phone: '55-01-18' }, operator_chat: '-71000' };
      const first = ['--workspace', 'sofas', '--name', 'Лампы', '--token', 't1'];
      await run('add-bot', ...first, '--settings', JSON.stringify(settings));
      const [made] = await bots();
      await makeWorkspaces(sql(), sealing).save('sofas', 'Лампы', 'paused');
      await run('add-bot', '--workspace', 'sofas', '--settings', '{"vars": {"hours": "с 9 до 20"}}');
      await run('add-bot', '--workspace', 'sofas', '--name', 'Лампы и люстры');
      const [now, ...others] = await bots();
      expect(others).toEqual([]);
      expect(now).toEqual({
        endpoint_id: made?.endpoint_id,
        meta: {
          ...settings,
          auth_ref: 'sofas-bot',
          texts: {},
          vars: { shop: 'Лампы и люстры', phone: '55-01-18', hours: 'с 9 до 20' },
        },
      });
      expect(await makeWorkspaces(sql(), sealing).find('sofas')).toEqual({
        name: 'Лампы и люстры',
        status: 'paused',
      });
    });

    it.each([
      ['{"operator_chat": -71000}', 'operator_chat: '],
      ['{"topic": []}', 'Unrecognized key: "topic"'],
      ['{"texts": {"hello": "Привет"}}', 'texts: '],
    ])('refuses settings that a bot cannot have: %s', async (settings, why) => {
      const bot = ['--workspace', 'lamps', '--name', 'Лампы', '--token', 't1', '--settings', settings];
      const { exitCode, text } = await run('add-bot', ...bot);
      expect([exitCode, text]).toEqual([2, expect.stringContaining(`--settings: ${why}`)]);
    });

    it('says where a rule leads to and nothing is', async () => {
      await run('demo');
      const lost = { ...JSON.parse(rule('Завернём')), next_state: 'gift_paper' };
      const rules = JSON.stringify({ ...lost, buttons: [{ text: 'Цвет', rule: 'gift_colour' }] });
      const { text } = await run('add-rule', '--workspace', 'demo-shop', '--rules', rules);
      expect(text).toContain('"Цвет" leads to no rule "gift_colour"');
      expect(text).toContain('no rule has the state "gift_paper"');
      const again = await run('add-rule', '--workspace', 'demo-shop', '--rules', rule('Завернём'));
      expect(again.data).toEqual([
        expect.objectContaining({ ruleId: 'gift', outcome: 'changed', warnings: [] }),
      ]);
    });

    it('shows logs and answers, and settles one whose result was lost', async () => {
      await run('demo');
      await makeWorkspaces(sql(), sealing).save('demo-shop', 'Тёплый свет');
      await sql()`
        insert into bot_outbox (workspace_id, chat_id, inbound_provider_message_id, response_hash, payload, status)
        values ('demo-shop', '5', 'mid', 'h', '{"text": "Ответ"}', 'unknown') on conflict do nothing`;
      const { data } = await run('outbox', '--workspace', 'demo-shop', '--status', 'unknown');
      const [{ id }] = data as [{ id: number }];
      const settle = () =>
        run(
          'settle',
          '--workspace',
          'demo-shop',
          '--answer',
          String(id),
          '--as',
          'sent',
          '--operator',
          'Ольга',
        );
      expect((await settle()).text).toContain('counts as sent');
      const [noted] = await sql()`
        select meta ->> 'operator' as operator from events
        where workspace_id = 'demo-shop' and meta ->> 'settled_as' = 'sent'`;
      expect(noted).toEqual({ operator: 'Ольга' });
      expect((await settle()).exitCode).toBe(1);
      expect((await run('logs', '--workspace', 'demo-shop')).text).toBe('no messages yet');
      expect((await run('help')).text).toContain('npm run shop-bot -- <subcommand>');
      expect((await run('test', '--help')).text).toContain('npm run shop-bot -- test');
    });
  });
});
