import { createHash, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeWorkspaces } from '../../src/autopost/store/workspaces.ts';
import { makeMessageStore, type OpenRequest, type SettleRequest } from '../../src/shop-bot/store/messages.ts';
import { sealing } from '../autopost/store/a-workspace.ts';
import { forEachDatabase } from '../support/stores.ts';

/** Messages that come at once share their statements: each must come out as if it had come alone. */
forEachDatabase((sql) => {
  it('of two decisions for one chat at once the second is stale, and leaves nothing behind', async () => {
    const { store, decision, rows } = await aCounter();
    const settled = await together(store.settle, decision({ chatId: '0', messageId: 'm0' }), [
      decision({ chatId: '1', messageId: 'm1' }),
      decision({ chatId: '1', messageId: 'm2' }),
      decision({ chatId: '2', messageId: 'm3' }),
    ]);
    expect(settled.map(({ outcome }) => outcome)).toEqual(['settled', 'stale', 'settled']);
    expect(await rows('bot_inbox')).toEqual(['m0', 'm1', 'm3']);
    expect(await rows('bot_outbox')).toEqual(['m0', 'm1', 'm3']);
    const again = await store.settle(decision({ chatId: '1', messageId: 'm2', revision: 1 }));
    expect(again.outcome).toBe('settled');
    expect((await store.settle(decision({ chatId: '1', messageId: 'm4', revision: 1 }))).outcome).toBe(
      'stale',
    );
    expect(await rows('bot_inbox')).toEqual(['m0', 'm1', 'm2', 'm3']);
  });

  it('lines for one operator from many chats go one after another', async () => {
    const { store, decision } = await aCounter();
    const settled = await together(
      store.settle,
      decision({ chatId: '0', messageId: 'm0' }),
      ['1', '2', '3'].map((chatId) => decision({ chatId, messageId: `m${chatId}`, operatorChat: 'staff' })),
    );
    const ready = settled.map((each) =>
      each.outcome === 'settled' ? each.answers.map((one) => one.ready) : [],
    );
    expect(ready).toEqual([
      [true, true],
      [true, false],
      [true, false],
    ]);
    const ids = settled.flatMap((each) =>
      each.outcome === 'settled' ? each.answers.map(({ id }) => id) : [],
    );
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  it('the gate judges each by itself: strangers, the too long, repeats and the flood', async () => {
    const { store, decision, request, id } = await aCounter({ ingressRps: 2 });
    await store.settle(decision({ chatId: '9', messageId: 'known' }));
    const opened = await together(store.open, request({ messageId: 'm0', secret: 'forged' }), [
      request({ messageId: 'known', chatId: '9' }),
      request({ messageId: 'm1', secret: 'forged' }),
      request({ messageId: 'm2', bytes: 2_000_000 }),
      request({ messageId: 'm3' }),
      request({ messageId: 'm4' }),
      request({ messageId: 'm5', again: true }),
    ]);
    expect(opened.map(({ outcome }) => outcome)).toEqual([
      'ingress_dedup_dropped',
      'unknown_endpoint',
      'ingress_payload_rejected',
      'accepted',
      'ingress_rate_limited',
      'accepted',
    ]);
    const [counted] = await sql()<{ stats: object }[]>`
      select stats_json as stats from ingest_runs where workspace_id = ${id}`;
    expect(counted?.stats).toEqual({ accepted: 1, dedup_dropped: 1, payload_rejected: 1, rate_limited: 1 });
  });

  /** The first call goes alone and at once; the others wait behind it, and go together. */
  async function together<Item, Result>(
    ask: (item: Item) => Promise<Result>,
    first: Item,
    items: Item[],
  ): Promise<Result[]> {
    const [, ...results] = await Promise.all([first, ...items].map(ask));
    return results;
  }

  async function aCounter({ ingressRps = 0 } = {}) {
    const id = randomUUID();
    const secret = `secret-${id}`;
    const workspaces = makeWorkspaces(sql(), sealing);
    await workspaces.save(id, 'Тёплый свет');
    await workspaces.saveEndpoint(id, { endpointId: 'bot', kind: 'bot_webhook', secret, ingressRps });
    return { id, store: makeMessageStore(sql()), decision, request, rows };

    function request(given: {
      messageId: string;
      chatId?: string;
      secret?: string;
      bytes?: number;
      again?: boolean;
    }): OpenRequest {
      const { messageId, chatId = '1', bytes = 100, again = false } = given;
      const secretHash = createHash('sha256')
        .update(given.secret ?? secret)
        .digest('hex');
      const message = { id: messageId, chatId, userId: chatId };
      return { endpointId: 'bot', secretHash, bytes, message, again };
    }

    function decision(given: {
      chatId: string;
      messageId: string;
      revision?: number;
      operatorChat?: string;
    }): SettleRequest {
      const { chatId, messageId, revision = 0, operatorChat } = given;
      const answer = (to: string) => ({
        chat_id: to,
        hash: 'h',
        payload: {
          ...{ text: 'Везём', buttons: [], media: null, to: { chatId: to } },
          ...{ auth_ref: 'a', trace_id: 't', idempotency_key: `${to}:${messageId}` },
        },
      });
      return {
        ...{ workspaceId: id, chatId, userId: chatId, messageId, revision },
        ...{ state: 'default', context: {}, expiresAt: null },
        log: {
          ...{ text: 'доставка', rule_id: null, rule_version: null, preview: 'Везём', meta: {} },
          ...{ state_before: 'default', state_after: 'default' },
        },
        answers: [answer(chatId), ...(operatorChat === undefined ? [] : [answer(operatorChat)])],
      };
    }

    async function rows(table: 'bot_inbox' | 'bot_outbox'): Promise<string[]> {
      const column = table === 'bot_inbox' ? 'provider_message_id' : 'inbound_provider_message_id';
      const found = await sql()<{ message: string }[]>`
        select ${sql()(column)} as message from ${sql()(table)} where workspace_id = ${id} order by message`;
      return found.map(({ message }) => message);
    }
  }
});
