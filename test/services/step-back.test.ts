import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/log.ts';
import { createContentDesk } from '../../src/services/article/content-desk.ts';
import { createDarkroom } from '../../src/services/pictures/darkroom.ts';

const { PRIORITY_BELOW_NORMAL: back } = constants.priority;

describe.runIf(process.platform === 'linux')('what computes leaves the processor to whoever waits', () => {
  it('pictures are developed with a lower priority', async () => {
    const darkroom = createDarkroom();
    const pixel = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    await darkroom.develop('measure', Buffer.from(pixel, 'base64'));
    expect(getPriority(darkroom.pid()!)).toBe(back);
  });

  it('articles are finished with a lower priority, in their thread alone', async () => {
    const before = getPriority();
    const desk = createContentDesk({ log: createLog('silent') });
    onTestFinished(desk.close);
    await desk.layOut('<p>Розы</p>');
    expect(threads()).toContain(back);
    expect(getPriority()).toBe(before);
  });
});

/** The priority of each thread of this process: the 19th word, after a name in brackets. */
function threads(): number[] {
  return readdirSync('/proc/self/task').map((id) => {
    const [, behindName = ''] = readFileSync(`/proc/self/task/${id}/stat`, 'latin1').split(') ');
    return Number(behindName.split(' ')[16]);
  });
}
