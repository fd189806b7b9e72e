import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeConnections } from '../../src/store/connections.ts';
import { createSealing, WrongPlace } from '../../src/store/sealing.ts';
import { aProject, aUser } from '../support/rows.ts';
import { forEachDatabase } from '../support/stores.ts';

const sealing = createSealing([randomBytes(32).toString('base64url')]);

forEachDatabase((sql) => {
  it('keeps credentials sealed, and opens them for their owner only', async () => {
    const { userId, projectId, connections } = await aPerson();
    const id = (await connections.save(userId, site(projectId)))!;
    const [row] = await sql()<[{ credentials: string }]>`
      select credentials from platform_connections where id = ${id}`;
    expect(row.credentials).not.toContain('abcd');
    expect(await connections.credentials(userId, id)).toEqual({ login: 'anna', app_password: 'abcd efgh' });
    expect(await connections.credentials(userId + 1, id)).toBeNull();
  });

  it('does not open what was copied into another row', async () => {
    const { userId, projectId, connections } = await aPerson();
    const one = (await connections.save(userId, site(projectId, 'one.example')))!;
    const other = (await connections.save(userId, site(projectId, 'other.example')))!;
    await sql()`
      update platform_connections set credentials = (select credentials from platform_connections where id = ${one})
      where id = ${other}`;
    await expect(connections.credentials(userId, other)).rejects.toThrow(WrongPlace);
  });

  it('takes new credentials for a known target instead of a second row', async () => {
    const { userId, projectId, connections } = await aPerson();
    const id = (await connections.save(userId, { ...site(projectId), metadata: { restRoot: '/wp-json' } }))!;
    await connections.note(id, { status: 'error', metadata: { lastError: 'Пароль не подошёл.' } });
    const again = await connections.save(userId, {
      ...site(projectId),
      credentials: { login: 'anna', app_password: 'new' },
    });
    expect(again).toBe(id);
    expect(await connections.find(userId, id)).toMatchObject({
      status: 'active',
      metadata: { restRoot: '/wp-json' },
    });
    expect(await connections.find(userId, id)).not.toHaveProperty('metadata.lastError');
    expect(await connections.credentials(userId, id)).toMatchObject({ app_password: 'new' });
  });

  it('keeps the pages of a site apart from what every screen reads of it', async () => {
    const { userId, projectId, connections } = await aPerson();
    const id = (await connections.save(userId, { ...site(projectId), metadata: { restRoot: '/wp-json' } }))!;
    expect(await connections.pagesOf(userId, id)).toEqual([]);
    const pages = Array.from({ length: 5_000 }, (_, n) => `https://one.example/statya-${n}`);
    await connections.notePages(id, pages);
    expect(await connections.pagesOf(userId, id)).toEqual(pages);
    expect(await connections.pagesOf(await aUser(sql()), id)).toEqual([]);
    expect((await connections.find(userId, id))?.metadata).toEqual({ restRoot: '/wp-json' });
    await connections.note(id, { status: 'error', metadata: { lastError: 'Сайт молчит.' } });
    expect(await connections.pagesOf(userId, id), 'they stay').toHaveLength(5_000);
  });

  it('is not found by others', async () => {
    const { userId, projectId, connections } = await aPerson();
    const id = (await connections.save(userId, site(projectId)))!;
    const stranger = await aUser(sql());
    expect(await connections.save(stranger, site(projectId))).toBeNull();
    expect(await connections.find(stranger, id)).toBeNull();
    expect(await connections.list(stranger, projectId)).toBeNull();
    expect(await connections.remove(stranger, id)).toBeNull();
    expect(await connections.list(userId, projectId)).toHaveLength(1);
  });

  it('tells who has a target already', async () => {
    const { userId, projectId, connections } = await aPerson();
    const target = `${userId}.example`;
    const connectionId = await connections.save(userId, site(projectId, target));
    expect(await connections.owners('wordpress', target)).toEqual([
      { userId, projectId, projectName: 'Окна Плюс', connectionId },
    ]);
    expect(await connections.owners('telegram', target)).toEqual([]);
  });

  it('goes when its owner says so', async () => {
    const { userId, projectId, connections } = await aPerson();
    const id = (await connections.save(userId, site(projectId)))!;
    expect(await connections.remove(userId, id)).toEqual({ projectId });
    expect(await connections.find(userId, id)).toBeNull();
  });

  async function aPerson() {
    const userId = await aUser(sql());
    const projectId = await aProject(sql(), userId);
    return { userId, projectId, connections: makeConnections(sql(), sealing) };
  }
});

const site = (projectId: number, identifier = 'blog.example') => ({
  projectId,
  platform: 'wordpress' as const,
  identifier,
  credentials: { login: 'anna', app_password: 'abcd efgh' },
});
