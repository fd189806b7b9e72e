import { expect, it } from 'vitest';
import { makeFollowMembership } from '../../../src/platforms/telegram/follow-membership.ts';
import { makeConnections } from '../../../src/store/connections.ts';
import { testSealing } from '../../support/article-works.ts';
import { aProject, aUser } from '../../support/rows.ts';
import { forEachDatabase } from '../../support/stores.ts';

forEachDatabase((sql) => {
  it('X10: shows that our bot may not publish in a channel any more, and that it may again', async () => {
    const connections = makeConnections(sql(), testSealing);
    const follow = makeFollowMembership(connections);
    const userId = await aUser(sql());
    const connected = async (identifier: string, ownBot: boolean) =>
      (await connections.save(userId, {
        ...{ projectId: await aProject(sql(), userId), platform: 'telegram', identifier },
        ...{ credentials: {}, metadata: { ownBot } },
      }))!;
    const ours = await connected('-1001', true);
    const theirs = await connected('-1002', false);
    const statusOf = async (id: number) => (await connections.find(userId, id))!;
    await follow({ chatId: '-1001', mayPost: false });
    await follow({ chatId: '-1002', mayPost: false });
    await follow({ chatId: '-1003', mayPost: false });
    expect(await statusOf(ours)).toMatchObject({
      status: 'error',
      metadata: { lastError: expect.stringContaining('Верните ему это право') },
    });
    expect((await statusOf(theirs)).status).toBe('active');
    await follow({ chatId: '-1001', mayPost: true });
    expect((await statusOf(ours)).status).toBe('active');
  });
});
