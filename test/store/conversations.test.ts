import { expect, it } from 'vitest';
import { type Message, makeConversations } from '../../src/store/conversations.ts';
import { sweepDialogues } from '../../src/store/sweep-dialogues.ts';
import { forEachDatabase } from '../support/stores.ts';

forEachDatabase((sql) => {
  let people = 5_000;
  const messages = (caseId: string, session: string, turn = 0): Message[] =>
    (turn === 0 ? (['system', 'assistant'] as const) : (['user', 'assistant'] as const)).map((role) => ({
      provider: 'openai',
      role,
      content: `${role} ${turn}`,
      metadata: {
        case_id: caseId,
        channel: 'dialogue',
        session,
        turn,
        ...(turn > 0 && role === 'assistant' && { achieved: ['result'], total: ['result'] }),
      },
    }));

  async function someone(...caseIds: string[]) {
    people += 1;
    const userId = people;
    const store = makeConversations(sql());
    for (const caseId of caseIds) {
      await sql().begin((tx) => store.begin(tx, userId, messages(caseId, `${userId}:${caseId}`)));
      await sql().begin((tx) => store.append(tx, userId, messages(caseId, `${userId}:${caseId}`, 1)));
    }
    return { userId, store, open: async () => (await store.open(userId)).map(({ caseId }) => caseId) };
  }

  it('`clear_case_conversations` finishes the dialogue and the reviewer of that case, `clear_all_conversations` all', async () => {
    const { userId, store, open } = await someone('fbpeer', 'career');
    expect(await open()).toEqual(['career', 'fbpeer']);
    expect(await store.clearCase(userId, 'fbpeer')).toBe(4);
    expect(await open()).toEqual(['career']);
    expect(await store.clearAll(userId)).toBe(4);
    expect(await store.clearAll(userId)).toBe(0);
    expect(await open()).toEqual([]);
  });

  it('starting a case again finishes what was open of it', async () => {
    const { userId, store } = await someone('fbpeer');
    await sql().begin((tx) => store.begin(tx, userId, messages('fbpeer', `${userId}:again`)));
    expect(await store.history(userId, `${userId}:fbpeer`)).toEqual([]);
    expect(await store.open(userId)).toMatchObject([
      { session: `${userId}:again`, turn_count: 0, total_provd_achieved: [] },
    ]);
  });

  it('an answer that comes after the dialogue was finished does not open it again', async () => {
    const { userId, store, open } = await someone('fbpeer');
    await store.clearAll(userId);
    await sql().begin((tx) => store.append(tx, userId, messages('fbpeer', `${userId}:fbpeer`, 2)));
    expect(await open()).toEqual([]);
  });

  it('a dialogue is read in the order in which it was said, by the time alone', async () => {
    const { userId } = await someone('fbpeer');
    const rows = await sql()`
      select content from conversations where user_id = ${userId} and finished_at is null order by created_at asc`;
    expect(rows.map(({ content }) => content)).toEqual(['system 0', 'assistant 0', 'user 1', 'assistant 1']);
  });

  it('belongs to its person', async () => {
    const { userId, store } = await someone('fbpeer');
    const session = `${userId}:fbpeer`;
    expect(await store.history(userId + 1_000, session)).toEqual([]);
    expect(await store.lastReply(userId + 1_000, session)).toBeNull();
    expect(await store.past(userId + 1_000, 10)).toEqual([]);
  });

  it('the sweep finishes what was silent for a day, removes what was finished a month ago, and leaves the rest', async () => {
    const silent = await someone('fbpeer');
    const old = await someone('fbpeer');
    const young = await someone('fbpeer');
    await old.store.clearAll(old.userId);
    await young.store.clearAll(young.userId);
    const lively = await someone('fbpeer');
    await sql()`update conversations set created_at = created_at - interval '25 hours' where user_id = ${silent.userId}`;
    await sql()`
      update conversations set created_at = created_at - interval '25 hours'
      where user_id = ${lively.userId} and role <> 'assistant'`;
    await sql()`update conversations set finished_at = now() - interval '31 days' where user_id = ${old.userId}`;
    await sql()`update conversations set finished_at = now() - interval '29 days' where user_id = ${young.userId}`;
    expect(await silent.open(), 'not offered even before the sweep').toEqual([]);
    await sweepDialogues(sql());
    const rows = await sql()`
      select user_id, count(*)::integer as kept, count(finished_at)::integer as finished from conversations
      where user_id >= ${silent.userId} group by 1 order by 1`;
    expect(rows.map(({ kept, finished }) => [kept, finished])).toEqual([
      [4, 4],
      [4, 4],
      [4, 0],
    ]);
    expect(rows.map(({ user_id }) => user_id)).toEqual([silent.userId, young.userId, lively.userId]);
  });

  it('the sweep removes a session that lay idle for a week', async () => {
    people += 1;
    await sql()`
      insert into fsm_storage (storage_key, user_id, updated_at, expires_at)
      values (${`1:${people}`}, ${people}, now() - interval '8 days', now() + interval '1 day'),
        (${`2:${people}`}, ${people}, now() - interval '6 days', now() + interval '1 day')`;
    await sweepDialogues(sql());
    const rows = await sql()`select storage_key from fsm_storage where user_id = ${people}`;
    expect(rows.map(({ storage_key }) => storage_key)).toEqual([`2:${people}`]);
  });
});
