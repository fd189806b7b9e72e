import { describe, expect, it } from 'vitest';
import type { PostingWindow } from '../../../src/autopost/store/workspaces.ts';
import { forEachDatabase } from '../../support/stores.ts';
import { aWorkspace } from './a-workspace.ts';

const office: PostingWindow = {
  mon: [['09:00', '18:00']],
  tue: [
    ['09:00', '12:00'],
    ['14:00', '18:00'],
  ],
};
const night: PostingWindow = { fri: [['22:00', '02:00']] };
const every = (from: string, to: string): PostingWindow =>
  Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [[from, to]]]));

forEachDatabase((sql) => {
  const start = async (timezone: string, window: PostingWindow | null, now: string) => {
    const [row] = await sql()<[{ at: string }]>`
      select next_window_start(${timezone}, ${window && JSON.stringify(window)}::text::jsonb, ${now}::timestamptz)::text as at`;
    return row.at === 'infinity' ? row.at : new Date(row.at).toISOString();
  };

  describe('a posting window', () => {
    const cases: [
      why: string,
      timezone: string,
      window: PostingWindow | null,
      now: string,
      expected: string,
    ][] = [
      ['none is always open', 'UTC', null, '2026-03-02T03:00Z', '2026-03-02T03:00:00.000Z'],
      ['is open from its first minute', 'UTC', office, '2026-03-02T09:00Z', '2026-03-02T09:00:00.000Z'],
      [
        'is closed at its end, until the next day',
        'UTC',
        office,
        '2026-03-02T18:00Z',
        '2026-03-03T09:00:00.000Z',
      ],
      ['may be one of several in a day', 'UTC', office, '2026-03-03T12:30Z', '2026-03-03T14:00:00.000Z'],
      ['comes again next week', 'UTC', office, '2026-03-03T18:30Z', '2026-03-09T09:00:00.000Z'],
      ['keeps local time', 'Europe/Moscow', office, '2026-03-02T05:00Z', '2026-03-02T06:00:00.000Z'],
      ['may run past midnight', 'UTC', night, '2026-03-07T01:30Z', '2026-03-07T01:30:00.000Z'],
      ['and ends there', 'UTC', night, '2026-03-07T02:00Z', '2026-03-13T22:00:00.000Z'],
      [
        'moves with summer time',
        'Europe/Berlin',
        every('09:00', '10:00'),
        '2026-03-28T12:00Z',
        '2026-03-29T07:00:00.000Z',
      ],
      [
        'moves back in winter',
        'Europe/Berlin',
        every('09:00', '10:00'),
        '2026-10-24T12:00Z',
        '2026-10-25T08:00:00.000Z',
      ],
      [
        'of an hour that spring leaves out is not there',
        'Europe/Berlin',
        every('02:00', '03:00'),
        '2026-03-28T12:00Z',
        '2026-03-30T00:00:00.000Z',
      ],
      [
        'of an hour that autumn repeats starts with the first',
        'Europe/Berlin',
        every('02:00', '03:00'),
        '2026-10-24T12:00Z',
        '2026-10-25T00:00:00.000Z',
      ],
      [
        'and is open in the second',
        'Europe/Berlin',
        every('02:00', '03:00'),
        '2026-10-25T01:30Z',
        '2026-10-25T01:30:00.000Z',
      ],
    ];
    it.each(cases)('%s', async (_, timezone, window, now, expected) => {
      expect(await start(timezone, window, now)).toBe(expected);
    });

    it('that never opens is never', async () => {
      expect(await start('UTC', {}, '2026-03-02T09:00Z')).toBe('infinity');
    });
  });

  describe('a channel with a window', () => {
    const monday = (time: string) => new Date(`2026-03-02T${time}Z`);

    it('gets its posts when it opens', async () => {
      const { post, claim } = await aWorkspace(sql(), { postingWindow: office });
      await post('Скидки', { now: monday('07:00') });
      expect(await claim({ now: monday('08:59') })).toEqual([]);
      expect(await claim({ now: monday('09:00') })).toHaveLength(1);
    });

    it('keeps what is left for the next time', async () => {
      const { post, claim } = await aWorkspace(sql(), { postingWindow: office });
      await post('Скидки', { now: monday('17:59') });
      expect(await claim({ now: monday('18:00') })).toEqual([]);
      expect(await claim({ now: monday('18:01') })).toEqual([]);
      expect(await claim({ now: new Date('2026-03-03T09:00Z') })).toHaveLength(1);
    });

    it('is open at once when its window is changed', async () => {
      const { post, claim, saveChannel } = await aWorkspace(sql(), { postingWindow: office });
      await post('Скидки', { now: monday('17:59') });
      await claim({ now: monday('18:00') });
      await saveChannel('c1', { postingWindow: every('00:00', '24:00') });
      expect(await claim({ now: monday('18:01') })).toHaveLength(1);
    });

    it('sends at once what waited for a window that is not there any more', async () => {
      const { post, claim, saveChannel } = await aWorkspace(sql(), { postingWindow: office });
      await post('Скидки', { now: monday('19:00') });
      await post('Не раньше восьми', { now: monday('19:00'), scheduledFor: monday('20:00') });
      await saveChannel('c1', { postingWindow: null });
      expect(await claim({ now: monday('19:01') })).toHaveLength(1);
      expect(await claim({ now: monday('20:00') })).toEqual([]); // behind the one that was just taken
    });

    it('is looked up anew when the clock is set back', async () => {
      const { id, post, claim, monitor } = await aWorkspace(sql(), { postingWindow: office });
      await post('Скидки', { now: monday('17:59') });
      await claim({ now: monday('18:00') });
      await monitor.releaseStale({ workspaceId: id, now: monday('12:00') });
      expect(await claim({ now: monday('12:00') })).toHaveLength(1);
    });

    it.each([
      ['a time zone that is not there', `timezone = 'Europe/Moskow'`],
      ['hours that are no list', `posting_window = '{"mon": "09:00-18:00"}'`],
      ['hours that are no time', `posting_window = '{"mon": [["утром", "18:00"]]}'`],
      ['a day that is none', `posting_window = '{"monday": [["09:00", "18:00"]]}'`],
    ])('is not given %s', async (_, change) => {
      const { id } = await aWorkspace(sql());
      await expect(
        sql().unsafe(`update channels set ${change} where workspace_id = '${id}'`),
      ).rejects.toThrow();
    });
  });
});
