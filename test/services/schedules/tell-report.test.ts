import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/engine/json.ts';
import { rich, type Screen } from '../../../src/screens/kit/screen.ts';
import type { Told } from '../../../src/services/notify/tell-person.ts';
import { createFairGate, NoRoom } from '../../../src/services/schedules/fair-gate.ts';
import { makeTellReport } from '../../../src/services/schedules/tell-report.ts';

const schedule = { id: 1, userId: 7 };
const published = { status: 'ok', kind: 'published', url: null };
const failed = { status: 'error', reason: 'publish_failed', refunded: 320 };

/** A report whose finished stages outlive the process that tells it. */
function aReport(report: object, tell: () => Promise<Told>) {
  const stages = new Map<string, Json>();
  const shown: boolean[] = [];
  const screen: Screen = { text: rich`report`, keyboard: [] };
  const handler = makeTellReport({
    screenOf: (_, isRepeat) => {
      shown.push(isRepeat);
      return screen;
    },
    tell,
  });
  const job = { key: 'k', kind: 'report-run', userId: 7, payload: { schedule, report } as unknown as Json };
  const tools = {
    signal: new AbortController().signal,
    attempt: 1,
    known: (name: string) => stages.get(name),
    async stage<Result extends Json>(name: string, work: () => Promise<Result>) {
      const known = stages.get(name);
      if (known !== undefined) return known as Result;
      const result = await work();
      stages.set(name, result);
      return result;
    },
  };
  return { tells: () => handler(job, tools), shown };
}

describe('the report of a scheduled run', () => {
  it('is not sent a second time when its process died between sending and noting', async () => {
    let sent = 0;
    const { tells } = aReport(published, async () => {
      sent += 1;
      throw new Error('killed');
    });
    await expect(tells()).rejects.toThrow('killed');
    expect(await tells()).toBe('not sent');
    expect(sent).toBe(1);
  });

  it('of a refund is sent again then, and says that it may be a repeat', async () => {
    let sent = 0;
    const { tells, shown } = aReport(failed, async () => {
      sent += 1;
      if (sent === 1) throw new Error('killed');
      return 'told';
    });
    await expect(tells()).rejects.toThrow('killed');
    expect(await tells()).toBe('told');
    expect(shown).toEqual([false, true]);
  });

  it('is tried again when the messenger asks to wait: then nothing was sent', async () => {
    const answers: Told[] = [{ later: { afterMs: 1_000 } }, 'told'];
    const { tells, shown } = aReport(published, async () => answers.shift()!);
    await expect(tells()).rejects.toThrow('asks to wait');
    expect(await tells()).toBe('told');
    expect(shown).toEqual([false, false]);
  });
});

describe('the gate of scheduled runs (X21)', () => {
  it('lets running ones finish when the process stops, and turns away those that wait', async () => {
    const gate = createFairGate({ most: 1 });
    let finish = (_: string): void => {};
    const running = gate.within(1, 1_000, () => new Promise<string>((resolve) => (finish = resolve)));
    const waiting = gate.within(2, 1_000, async () => 'never');
    const closed = gate.close(60_000);
    await expect(waiting).rejects.toBeInstanceOf(NoRoom);
    await expect(gate.within(3, 1_000, async () => 'never')).rejects.toBeInstanceOf(NoRoom);
    finish('done');
    expect(await running).toBe('done');
    await closed;
    expect(gate.busy()).toBe(0);
  });
});
