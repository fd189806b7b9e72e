import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/log.ts';
import { createContentDesk } from '../../src/services/article/content-desk.ts';
import { createDarkroom } from '../../src/services/pictures/darkroom.ts';

const { PRIORITY_BELOW_NORMAL: behind } = constants.priority;

describe.runIf(process.platform === 'linux')('what computes leaves the processor to whoever waits', () => {
  it('pictures are developed with a lower priority, the threads of the library included', async () => {
    const darkroom = createDarkroom();
    const pixel = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    await darkroom.develop('measure', Buffer.from(pixel, 'base64'));
    expect(new Set(prioritiesOf(darkroom.pid()!))).toEqual(new Set([behind]));
  });

  it('articles are finished with a lower priority, in their thread alone', async () => {
    const before = getPriority();
    const desk = createContentDesk({ log: createLog('silent') });
    onTestFinished(desk.close);
    await desk.layOut('<p>Розы</p>');
    expect(prioritiesOf(process.pid)).toContain(behind);
    expect(getPriority()).toBe(before);
  });
});

/** Of each thread: the 19th word, counted behind a name in brackets. */
function prioritiesOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [, behindName = ''] = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1').split(') ');
    return Number(behindName.split(' ')[16]);
  });
}
