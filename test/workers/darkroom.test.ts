import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { describe, expect, it, vi } from 'vitest';
import { BEHIND } from '../../src/services/pictures/step-back.ts';
import { createDarkroom, DarkroomLost } from '../../src/workers/darkroom.ts';

const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', sigma: 40 } },
  })
    .png()
    .toBuffer();

describe('the process in which pictures are developed', () => {
  it('may die with a picture in it: the picture is developed in the next one', async () => {
    const darkroom = createDarkroom();
    await darkroom.develop('measure', await noise(8, 8));
    const first = darkroom.pid()!;
    const large = darkroom.develop('enhance', await noise(1_600, 1_200));
    process.kill(first, 'SIGKILL');
    expect(await large).toMatchObject({ width: 1_600, height: 1_200 });
    expect(darkroom.pid()).not.toBe(first);
  });

  it('is given up when a picture takes it along every time', async () => {
    const darkroom = createDarkroom({ jobLimitMs: 1 });
    await expect(darkroom.develop('enhance', await noise(1_600, 1_200))).rejects.toThrow(DarkroomLost);
  });

  it.runIf(process.platform === 'linux')(
    'leaves the processor to the bot, with all its threads',
    async () => {
      const darkroom = createDarkroom();
      await darkroom.develop('measure', await noise(8, 8));
      const threads = readdirSync(`/proc/${darkroom.pid()}/task`).map(Number);
      expect(new Set(threads.map((thread) => getPriority(thread)))).toEqual(
        new Set([getPriority() + BEHIND]),
      );
    },
  );

  it.runIf(process.platform === 'linux')(
    'stays behind a bot that is itself behind other programs',
    async () => {
      const program = `
      import { getPriority } from 'node:os';
      import { stepBack } from './src/services/pictures/step-back.ts';
      const bot = getPriority();
      stepBack();
      console.log(getPriority() - bot);`;
      const node = [process.execPath, '--import', 'tsx', '--input-type=module', '--eval', program];
      const { stdout } = await promisify(execFile)('nice', ['-n', '10', ...node]);
      expect(stdout.trim()).toBe(String(BEHIND));
    },
  );

  it('says why a picture cannot be developed, and goes on', async () => {
    const darkroom = createDarkroom();
    await expect(darkroom.develop('enhance', Buffer.from('no picture'))).rejects.toThrow(/unsupported/iu);
    const pid = darkroom.pid();
    await darkroom.develop('jpeg', await noise(8, 8));
    expect(darkroom.pid()).toBe(pid);
  });

  it('ends when there is nothing to do, and is there again when there is', async () => {
    const darkroom = createDarkroom({ idleMs: 1 });
    await darkroom.develop('measure', await noise(8, 8));
    await vi.waitFor(() => expect(darkroom.pid()).toBeUndefined());
    expect(await darkroom.develop('measure', await noise(9, 8))).toMatchObject({ width: 9, height: 8 });
  });
});
