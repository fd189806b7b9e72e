import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOperations } from '../../../src/store/operations.ts';
import { forEachDatabase } from '../../support/stores.ts';
import { article, type Desk, openDesk } from './desk.ts';

forEachDatabase((sql) => {
  let desk: Desk;
  beforeEach(async () => {
    desk = await openDesk({ seo: 'yoast' });
  });
  afterEach(() => desk.standIn.close());

  const press = (key: string) =>
    createOperations(sql(), { pollMs: 10 }).withStages(
      { key, userId: 7, request: { draft: 17 } },
      (stage, signal) =>
        desk.adapter.publish(desk.admin, article, { idempotencyKey: 'draft:17', stage, signal }),
    );
  const made = () => [desk.site.posts.values().length, desk.site.media.values().length];

  it('publishes once when two processes are told at the same moment (E07)', async () => {
    const [one, two] = await Promise.all([press('wp:twice'), press('wp:twice')]);
    expect(one).toMatchObject({ outcome: 'sent' });
    expect(two).toEqual(one);
    expect(made()).toEqual([1, 4]);
  });

  it('goes on after a failure behind what is there already (E02)', async () => {
    desk.standIn.faults.add({ match: '^POST .*/posts$', times: 2, fault: { kind: 'status', status: 503 } });
    await expect(press('wp:again')).rejects.toMatchObject({ retryable: true });
    const [row] = await sql()<{ stages: Record<string, string> }[]>`
      select stages from operations where key = 'wp:again'`;
    expect(Object.keys(row!.stages).sort()).toEqual(
      ['attempt', 'media:1', 'media:2', 'media:3', 'media:4', 'site', 'terms'].sort(),
    );
    expect(JSON.stringify(row)).not.toMatch(/sand ?boxa/u);
    expect(await press('wp:again')).toMatchObject({ outcome: 'sent' });
    expect(made()).toEqual([1, 4]);
  });
});
