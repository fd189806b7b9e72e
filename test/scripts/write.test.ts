import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { patience } from '../support/patience.ts';

it('a text from the terminal without keys says that a stand-in wrote it, and names neither model nor price', {
  timeout: patience(60_000),
}, async () => {
  const args = ['--import', 'tsx', 'src/scripts/write.ts', '--topic', 'шкаф-купе на заказ', '--images', '0'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
    env: { PATH: process.env.PATH },
    maxBuffer: 8 * 1024 * 1024,
  });
  const told = `${stdout}${stderr}`;
  expect(told).toContain('written by the local stand-in, not by a model');
  expect(told).not.toMatch(/\$\d|gpt-|claude|gemini/iu);
});
