import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { settled, total } from '../../src/prices.ts';
import { writeAnswer } from '../../src/sandbox/openrouter/author/write-answer.ts';
import { type StandInsByName, startSupplierStandIns } from '../../src/sandbox/supplier-stand-ins.ts';
import type { ArticleAnswer } from '../../src/services/ai/answers.ts';
import { type Database, openDatabase, type TransactionSql } from '../../src/store/database.ts';
import { tinyPng } from '../sandbox/tiny-png.ts';
import { mediocre } from '../services/article/poor-texts.ts';
import { anArticleCustomer } from '../support/article-customer.ts';
import { noKeys } from '../support/article-works.ts';
import { patience } from '../support/patience.ts';
import { unbalanced } from '../support/rows.ts';
import { freshPostgresUrl } from '../support/stores.ts';
import type { WriterAnswer, WriterOrder } from './article-writer.ts';
import { createGates } from './gates.ts';

const PRICE = { text: 200, images: 60 };
const patient = { timeout: patience(30_000), interval: 10 };

/**
 * One article, and one process after another that is killed with SIGKILL at the next place: in the middle of a stage, or
 * when a stage's result has just been kept. Each takes over from the one before; the last one finishes.
 */
describe.skipIf(!inject('postgresUrl'))(
  'an article whose writers are killed one after another (needs PostgreSQL)',
  { timeout: patience(90_000) },
  () => {
    const gates = createGates();
    const alive = new Set<ChildProcess>();
    let database: Database;
    let customer: Awaited<ReturnType<typeof anArticleCustomer>>;
    let standIns: Awaited<ReturnType<typeof startSupplierStandIns>>;
    let players: StandInsByName;
    let order: WriterOrder;
    /** Who takes over when this one is dead: half of a writer's life is its start. */
    let next: ChildProcess;

    beforeAll(async () => {
      next = newWriter();
      const databaseUrl = await freshPostgresUrl();
      database = await openDatabase({ url: databaseUrl, dataDir: '' });
      customer = await anArticleCustomer(database.sql);
      standIns = await startSupplierStandIns(noKeys, {
        modelThinksMs: 0,
        author: { writeAnswer: written, drawPicture },
      });
      players = standIns.byName as StandInsByName;
      const { userId, categoryId, projectId, connectionId } = customer;
      order = {
        databaseUrl,
        suppliers: standIns.suppliers,
        folder: await mkdtemp(join(inject('scratchDir'), 'pictures-')),
        key: 'the article',
        userId,
        offer: {
          ...{ categoryId, projectId, connectionId, categoryName: 'Кухни', projectName: 'Кухни' },
          ...{ site: 'kuhni-plus.example', phrase: 'кухни на заказ', volume: 900, clusters: 1 },
          ...{ images: 2, text: PRICE.text, pictures: PRICE.images, picturePrice: 30 },
          ...{ balance: 1_500, isAdmin: false, reused: false },
        },
      };
    });

    afterAll(async () => {
      for (const child of alive) child.kill('SIGKILL');
      gates.openAll();
      await standIns?.close();
      await database?.close();
    });

    it('while it is being charged: nothing was charged, and no draft is there', async () => {
      const letGo = await hold(balanceRow);
      const writer = await start();
      await somebodyWaits();
      await kill(writer);
      await letGo();
      expect(await customer.balance()).toBe(1_500);
      expect(await customer.drafts()).toEqual([]);
    });

    it('when it was charged and that is not yet known', async () => {
      await killedBeforeItsWord(async () => (await customer.balance()) === 1_240);
      expect(await stages()).not.toContain('charge');
      expect(await customer.drafts()).toMatchObject([{ status: 'draft', tokens: 260 }]);
    });

    it('while its sources are gathered', async () => {
      await killedAt(['article_research']);
      expect(await stages()).not.toContain('sources');
    });

    it('while it is outlined, its sources being known', async () => {
      await killedAt(['article_outline']);
      expect(await stages()).toContain('sources');
    });

    it('while the text is written and both pictures are drawn, its outline being known', async () => {
      await killedAt(['article', 'image:1', 'image:2']);
      expect(await stages()).toEqual(expect.arrayContaining(['outline', 'image_director']));
    });

    it('when the first picture was kept, the second being drawn', async () => {
      await killedAt(['article', 'image:2'], 'picture:1');
      expect(await stages()).not.toContain('picture:2');
    });

    it('when the text was kept, the second picture still being drawn', async () => {
      await killedAt(['image:2'], 'text');
      expect(await stages()).not.toContain('picture:2');
    });

    it('while it is rewritten, both pictures being there', async () => {
      await killedAt(['article_critique']);
      expect(await stages()).toEqual(expect.arrayContaining(['picture:1', 'picture:2', 'text']));
    });

    it('while its page is put on Telegraph, the rewritten text being known', async () => {
      players.telegraph.faults.add({ match: 'createPage', fault: { kind: 'hang' } });
      const writer = await start();
      await expect.poll(stages, patient).toContain('critique');
      await expect.poll(() => players.telegraph.faults.list(), patient).toEqual([]);
      await kill(writer);
      players.telegraph.faults.clear();
      expect(await stages()).not.toContain('telegraph');
    });

    it('while the surplus is given back, the draft being written', async () => {
      const letGo = await hold(balanceRow);
      const writer = await start();
      await somebodyWaits();
      await kill(writer);
      await letGo();
      expect(await stages()).toContain('telegraph');
      expect(await customer.drafts()).toMatchObject([
        { status: 'draft', tokens: 260, html: expect.any(String) },
      ]);
    });

    it('when all is done but the last word', async () => {
      await killedBeforeItsWord(async () => (await customer.drafts())[0]!.tokens < 260);
      const [operation] = await database.sql`select status from operations where key = ${order.key}`;
      expect(operation).toEqual({ status: 'running' });
    });

    it('is finished by the last, paid once, and asked for what was missing only', async () => {
      const writer = await start();
      const [answer] = (await once(writer, 'message')) as [WriterAnswer];
      if (!('preview' in answer)) throw new Error(answer.error);
      const { preview } = answer;

      const cost = total(settled(PRICE, preview));
      expect(preview).toMatchObject({ images: 2, spent: cost, returned: 260 - cost });
      expect(await customer.balance()).toBe(1_500 - cost);
      expect(await customer.expenses()).toEqual([
        { type: 'text_generation', amount: -200 },
        { type: 'image_generation', amount: -60 },
        { type: 'refund', amount: 260 - cost },
      ]);
      expect(await customer.drafts()).toMatchObject([{ id: preview.draftId, status: 'draft', tokens: cost }]);
      expect(await unbalanced(database.sql)).toEqual([]);

      // Once for every writer that died waiting for it, and once for the one that got it.
      expect(asked()).toEqual({
        article_research: 2,
        article_outline: 2,
        image_director: 1,
        article: 3,
        'image:1': 2,
        'image:2': 4,
        article_critique: 2,
      });
    });

    /** The models were asked for all of these and have not answered; and this stage, if one is named, was kept. */
    async function killedAt(places: readonly string[], kept?: string): Promise<void> {
      const before = asked();
      gates.shut(...places);
      const writer = await start();
      const inFlight = places.map((place) => [place, (before[place] ?? 0) + 1]);
      await expect.poll(asked, patient).toMatchObject(Object.fromEntries(inFlight));
      if (kept) await expect.poll(stages, patient).toContain(kept);
      await kill(writer);
    }

    /** The tokens have moved, and the operation does not know of it: its row is held. */
    async function killedBeforeItsWord(moved: () => Promise<boolean>): Promise<void> {
      const letTokensGo = await hold(balanceRow);
      const writer = await start();
      await somebodyWaits();
      const letWordGo = await hold(operationRow);
      await letTokensGo();
      await expect.poll(moved, patient).toBe(true);
      await somebodyWaits();
      await kill(writer);
      await letWordGo();
    }

    /** Holds a row until it is told to let go. */
    async function hold(row: (tx: TransactionSql) => Promise<unknown>): Promise<() => Promise<void>> {
      const gate = createGates();
      gate.shut('taken', 'released');
      const transaction = database.sql.begin(async (tx) => {
        await row(tx);
        gate.open('taken');
        await gate.passed('released');
      });
      await gate.passed('taken');
      return async () => {
        gate.open('released');
        await transaction;
      };
    }

    function balanceRow(tx: TransactionSql): Promise<unknown> {
      return tx`select 1 from users where id = ${customer.userId} for no key update`;
    }

    function operationRow(tx: TransactionSql): Promise<unknown> {
      return tx`select 1 from operations where key = ${order.key} for update`;
    }

    async function somebodyWaits(): Promise<void> {
      await expect.poll(async () => (await waiting()).length, patient).toBeGreaterThan(0);
    }

    async function waiting(): Promise<number[]> {
      const rows = await database.sql<{ pid: number }[]>`
        select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return rows.map(({ pid }) => pid);
    }

    async function stages(): Promise<string[]> {
      const [row] = await database.sql<[{ names: string[] }]>`
        select array(select jsonb_object_keys(stages)) as names from operations where key = ${order.key}`;
      return row.names;
    }

    /** How often the models were asked for what. */
    function asked(): Record<string, number> {
      const counts: Record<string, number> = {};
      for (const { task, user } of players.openRouter.requests()) {
        const name = task === 'image' ? pictureOf(user) : task;
        counts[name] = (counts[name] ?? 0) + 1;
      }
      return counts;
    }

    async function start(): Promise<ChildProcess> {
      await letLeaseEnd();
      const writer = next;
      next = newWriter();
      writer.send(order);
      return writer;
    }

    function newWriter(): ChildProcess {
      const writer = fork('test/crash/article-writer.ts', { execArgv: ['--import', 'tsx/esm'] });
      alive.add(writer);
      writer.once('exit', () => alive.delete(writer));
      return writer;
    }

    async function kill(writer: ChildProcess): Promise<void> {
      writer.kill('SIGKILL');
      await once(writer, 'exit');
      // What the dead waited for is not to be done in their name as soon as the row is free.
      for (const pid of await waiting()) await database.sql`select pg_terminate_backend(${pid}, 5_000)`;
      gates.openAll();
    }

    /** A dead process keeps it for half a minute; this test does not wait for that. */
    async function letLeaseEnd(): Promise<void> {
      await database.sql`update operations set lease_until = now() where key = ${order.key}`;
    }

    /** A text worth a rewrite and shorter than what was paid for, and pictures that differ. */
    async function written(request: Parameters<typeof writeAnswer>[0]): Promise<unknown> {
      await gates.passed(request.task);
      const answer = writeAnswer(request);
      if (/^article(?:_critique)?$/u.test(request.task)) return mediocre(answer as ArticleAnswer);
      return request.task === 'image_director' ? numbered(answer as Plan) : answer;
    }

    async function drawPicture({ prompt }: { prompt: string }): Promise<Buffer> {
      await gates.passed(pictureOf(prompt));
      return tinyPng(16, 9);
    }
  },
);

type Plan = { images: { prompt: string }[] };

const numbered = ({ images, ...plan }: Plan) => ({
  ...plan,
  images: images.map((image, i) => ({ ...image, prompt: `picture number ${i + 1}` })),
});

const pictureOf = (prompt: string): string => `image:${/picture number (\d)/u.exec(prompt)?.[1]}`;
