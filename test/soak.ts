/** `npm run soak -- NAME`: one of the storms at its full length. Everything stays on loopback and ends with the run. */
import { spawnSync } from 'node:child_process';

const storms: Readonly<Record<string, { file: string; settings: Readonly<Record<string, string>> }>> = {
  autopost: { file: 'test/crash/autopost-storm.test.ts', settings: { AUTOPOST_STORM_SECONDS: '180' } },
};

const [name = ''] = process.argv.slice(2);
const storm = storms[name];
if (!storm) {
  console.error(`Expected ${Object.keys(storms).join(', ')}, got "${name}"`);
  process.exit(1);
}
const { status } = spawnSync('npx', ['vitest', 'run', '--config', 'test/vitest.config.ts', storm.file], {
  stdio: 'inherit',
  env: { ...storm.settings, ...process.env },
});
process.exit(status ?? 1);
