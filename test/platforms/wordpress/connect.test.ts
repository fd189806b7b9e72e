import { randomBytes, randomUUID } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { expect, it } from 'vitest';
import { makeConnectTarget } from '../../../src/platforms/connect-target.ts';
import { WordPressFailed } from '../../../src/platforms/wordpress/client-failed.ts';
import {
  type ConnectedSite,
  makeConnectWordPress,
  type SiteFacts,
} from '../../../src/platforms/wordpress/connect.ts';
import { makeRateLimits } from '../../../src/services/money/rate-limits.ts';
import { makeConnections } from '../../../src/store/connections.ts';
import { createMemoryKeyValueStore } from '../../../src/store/key-value-memory.ts';
import { createOperations } from '../../../src/store/operations.ts';
import { createSealing } from '../../../src/store/sealing.ts';
import { aProject, aUser } from '../../support/rows.ts';
import { forEachDatabase } from '../../support/stores.ts';

const PASSWORD = 'abcd EFGH 1234 ijkl MNOP 5678';
const sealing = createSealing([randomBytes(32).toString('base64url')]);
const signal = new AbortController().signal;
let sites = 0;

forEachDatabase((sql) => {
  it('keeps the credentials sealed, and what was learned of the site in the clear', async () => {
    const { userId, projectId, connect, asked, learned, connections } = await aPerson();
    const { connectionId } = await connect();
    expect(await connections.find(userId, connectionId)).toMatchObject({
      projectId,
      platform: 'wordpress',
      status: 'active',
      metadata: { siteName: 'Ромашка', seoPlugin: 'yoast', keepsJsonLd: true },
    });
    expect(await connections.credentials(userId, connectionId)).toMatchObject({
      login: 'anna',
      app_password: PASSWORD,
    });
    expect(asked).toEqual([expect.objectContaining({ login: 'anna', appPassword: PASSWORD })]);
    expect(learned).toEqual([expect.objectContaining({ connectionId, projectId, userId })]);
  });

  it('names a site by its readable host, and knows its front page', async () => {
    const { userId, connect, connections } = await aPerson({
      identifier: `${domainToASCII('букеты.рф')}/blog`,
      restRoot: 'https://shop.example/blog/?rest_route=/',
    });
    const { connectionId } = await connect();
    const saved = (await connections.find(userId, connectionId))!;
    expect(saved.identifier).toBe('букеты.рф/blog');
    expect(saved.metadata.url).toBe('https://shop.example/blog/');
  });

  it('E41: connects a site to a second project of the same person', async () => {
    const facts = { identifier: `romashka${++sites}.example` };
    const first = await aPerson(facts);
    await first.connect();
    const second = await aProject(sql(), first.userId, 'Букеты');
    await first.connect({ projectId: second });
    expect(await first.connections.owners('wordpress', facts.identifier)).toHaveLength(2);
  });

  it('X24: refuses a site of another person, and keeps nothing', async () => {
    const facts = { identifier: `romashka${++sites}.example` };
    await (await aPerson(facts)).connect();
    const stranger = await aPerson(facts);
    await expect(stranger.connect()).rejects.toMatchObject({ code: 'TARGET_TAKEN', retryable: false });
    expect(await stranger.connections.list(stranger.userId, stranger.projectId)).toEqual([]);
    expect(stranger.learned).toEqual([]);
  });

  it('X24: of two people who come at the same moment, one gets the site', async () => {
    const facts = { identifier: `romashka${++sites}.example` };
    const people = await Promise.all([aPerson(facts), aPerson(facts)]);
    const outcomes = await Promise.allSettled(people.map(({ connect }) => connect()));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await people[0]!.connections.owners('wordpress', facts.identifier)).toHaveLength(1);
  });

  it('E25: refuses the eleventh try of an hour before the site is asked', async () => {
    const { connect, asked } = await aPerson();
    for (let tries = 0; tries < 10; tries += 1) await connect({ key: randomUUID() });
    await expect(connect({ key: randomUUID() })).rejects.toMatchObject({ code: 'RATE_LIMIT' });
    expect(asked).toHaveLength(10);
  });

  it('keeps nothing when the site does not take the password', async () => {
    const person = await aPerson();
    person.fail(new WordPressFailed('wrong-password', 'the user'));
    await expect(person.connect()).rejects.toMatchObject({ code: 'PUBLISH' });
    expect(await person.connections.list(person.userId, person.projectId)).toEqual([]);
    expect(person.learned).toEqual([]);
  });

  it('keeps nothing for a project that is gone', async () => {
    const person = await aPerson();
    await sql()`delete from projects where id = ${person.projectId}`;
    await expect(person.connect()).rejects.toMatchObject({
      code: 'NOT_FOUND',
      userMessage: 'Проект удалён.',
    });
  });

  it('saves once, counts once and learns once, however often it is resumed', async () => {
    const person = await aPerson();
    const key = randomUUID();
    person.dieAfterSaving();
    await expect(person.connect({ key })).rejects.toThrow('died');
    const [first, second] = await Promise.all([person.connect({ key }), person.connect({ key })]);
    await person.connect({ key });
    expect(second).toEqual(first);
    expect(await person.connections.list(person.userId, person.projectId)).toHaveLength(1);
    expect(person.learned).toHaveLength(1);
    for (let tries = 1; tries < 10; tries += 1) await person.connect({ key: randomUUID() });
  });

  it('counts a try once though the process died before anything was kept of it', async () => {
    const person = await aPerson();
    const key = randomUUID();
    for (let death = 0; death < 15; death += 1) {
      person.fail(new Error('died'));
      await expect(person.connect({ key })).rejects.toThrow('died');
      await sql()`delete from operations where key = ${key}`;
    }
    person.fail(null);
    await person.connect({ key });
    for (let tries = 1; tries < 10; tries += 1) await person.connect({ key: randomUUID() });
    await expect(person.connect({ key: randomUUID() })).rejects.toThrow(/platform_connection/u);
  });

  it('does not open a password that was sealed for another dialogue', async () => {
    const { connect, asked } = await aPerson();
    await expect(connect({ run: 'another' })).rejects.toThrow('another place');
    expect(asked).toEqual([]);
  });

  it('leaves no trace of the password in the table of operations', async () => {
    const { connect } = await aPerson();
    const key = randomUUID();
    await connect({ key });
    const rows = await sql()`select * from operations where key like ${`${key}%`}`;
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain('ijkl');
  });

  async function aPerson(facts: Partial<SiteFacts> = {}) {
    const userId = await aUser(sql());
    const projectId = await aProject(sql(), userId);
    const connections = makeConnections(sql(), sealing);
    const asked: unknown[] = [];
    const learned: ConnectedSite[] = [];
    const run = randomUUID();
    let failure: Error | null = null;
    let dies = false;
    const connectWordPress = makeConnectWordPress({
      connectTarget: makeConnectTarget({
        operations: createOperations(sql(), { pollMs: 10 }),
        limits: makeRateLimits(createMemoryKeyValueStore()),
        connections,
      }),
      openSecret: (place, sealed) => sealing.open(`run:${place}`, sealed),
      async validate(access) {
        asked.push(access);
        if (failure) throw failure;
        return { ...someFacts(), ...facts };
      },
      learn(site) {
        if (dies) {
          dies = false;
          throw new Error('died');
        }
        learned.push(site);
      },
    });
    const sealed = sealing.seal(`run:${run}`, `${PASSWORD} `);
    return {
      userId,
      projectId,
      connections,
      asked,
      learned,
      connect: (more: { key?: string; run?: string; projectId?: number } = {}) =>
        connectWordPress(
          {
            key: randomUUID(),
            run,
            userId,
            projectId,
            url: 'https://romashka.example',
            login: 'anna',
            sealed,
            ...more,
          },
          signal,
        ),
      fail: (error: Error | null) => {
        failure = error;
      },
      dieAfterSaving: () => {
        dies = true;
      },
    };
  }
});

const someFacts = (): SiteFacts => ({
  identifier: `site${++sites}.example`,
  restRoot: 'https://romashka.example/wp-json/',
  siteName: 'Ромашка',
  seoPlugin: 'yoast',
  keepsJsonLd: true,
});
