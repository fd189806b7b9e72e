import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makePinterestAccess, storedTokens } from '../../../src/platforms/pinterest/access.ts';
import { createPinterest, type Pinterest } from '../../../src/platforms/pinterest/client.ts';
import { type PinterestStandIn, startPinterestStandIn } from '../../../src/sandbox/pinterest/start.ts';
import { type Connections, makeConnections } from '../../../src/store/connections.ts';
import { createPostgresKeyValueStore } from '../../../src/store/key-value-postgres.ts';
import { testSealing } from '../../support/article-works.ts';
import { aProject, aUser } from '../../support/rows.ts';
import { forEachDatabase } from '../../support/stores.ts';

const DAY = 24 * 3_600_000;
const owner = 'masterskaya';
let service: PinterestStandIn;
let pinterest: Pinterest;
let refreshes = 0;

beforeAll(async () => {
  service = await startPinterestStandIn();
  service.world.addAccount({ username: owner, accountType: 'BUSINESS' });
  const client = createPinterest({
    ...{ baseUrl: `${service.url}/v5`, siteUrl: service.url, ...service.app },
    ...{ retries: 0, waitMs: () => 1 },
  });
  pinterest = {
    ...client,
    refresh(...args) {
      refreshes += 1;
      return client.refresh(...args);
    },
  };
});
beforeEach(() => {
  refreshes = 0;
  service.faults.clear();
});
afterAll(() => service.close());

forEachDatabase((sql) => {
  it('uses a token that lives for long as it is', async () => {
    const { target, access } = await connected(20 * DAY);
    expect(await access(target)).toMatchObject({ boardId: '12' });
    expect(refreshes).toBe(0);
  });

  it('X13: renews a token that expires within a day, once for everybody who asks at the same time', async () => {
    const { target, access, other, connections } = await connected(DAY / 2);
    const asked = Array.from({ length: 8 }, (_, at) => (at % 2 ? access : other)(target));
    const tokens = new Set((await Promise.all(asked)).map(({ token }) => token));
    expect(tokens.size).toBe(1);
    expect(refreshes).toBe(1);
    const kept = await connections.credentials(target.userId, target.connectionId);
    expect(kept).toMatchObject({ access_token: [...tokens][0], board_id: '12', board_name: 'Мебель' });
    expect(service.world.byAccess([...tokens][0]!)).not.toBeNull();
  });

  it('E08: says that the board must be connected again when Pinterest does not renew the token', async () => {
    const { target, access } = await connected(-DAY);
    service.world.revoke(owner);
    await expect(access(target)).rejects.toMatchObject({
      report: { category: 'PERMANENT', scope: 'channel', code: 'refresh_refused' },
      userMessage: expect.stringContaining('Подключите доску заново'),
    });
  });

  it('uses a token that still opens while Pinterest cannot renew it, and no expired one', async () => {
    const { target, access } = await connected(DAY / 2);
    service.faults.add({ match: 'token', times: null, fault: { kind: 'status', status: 503 } });
    expect(await access(target)).toMatchObject({ boardId: '12' });
    const late = await connected(-1_000);
    await expect(late.access(late.target)).rejects.toMatchObject({ report: { category: 'TRANSIENT' } });
  });

  it('does not write over credentials that were changed meanwhile', async () => {
    const { target, connections } = await connected(DAY);
    const { userId, connectionId } = target;
    const were = await connections.credentials(userId, connectionId);
    expect(await connections.renew(userId, connectionId, { were, are: { a: 1 } })).toBe(true);
    expect(await connections.renew(userId, connectionId, { were, are: { a: 2 } })).toBe(false);
    expect(await connections.renew(userId + 1, connectionId, { were: { a: 1 }, are: {} })).toBe(false);
    expect(await connections.credentials(userId, connectionId)).toEqual({ a: 1 });
  });

  /** With two processes' worth of access to it. */
  async function connected(livesMs: number) {
    const userId = await aUser(sql());
    const projectId = await aProject(sql(), userId);
    const connections: Connections = makeConnections(sql(), testSealing);
    const { accessToken, refreshToken } = service.world.grant(owner, 'boards:read pins:write');
    const tokens = storedTokens({ accessToken, refreshToken, expiresAt: Date.now() + livesMs });
    const connectionId = (await connections.save(userId, {
      ...{ projectId, platform: 'pinterest', identifier: '12' },
      credentials: { ...tokens, board_id: '12', board_name: 'Мебель' },
    }))!;
    const process = () =>
      makePinterestAccess({ pinterest, locks: createPostgresKeyValueStore(sql()), connections });
    return { target: { userId, connectionId }, access: process(), other: process(), connections };
  }
});
