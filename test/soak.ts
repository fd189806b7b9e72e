/** `npm run soak -- NAME`: one of the storms at its full length. Everything stays on loopback and ends with the run. */
import { spawnSync } from 'node:child_process';

const storms: Readonly<Record<string, { file: string; settings: Readonly<Record<string, string>> }>> = {
  autopost: { file: 'test/crash/autopost-storm.test.ts', settings: { AUTOPOST_STORM_SECONDS: '180' } },
  wizard: {
    file: 'test/crash/wizard-crash.test.ts',
    settings: { WIZARD_STORM_PEOPLE: '50', WIZARD_STORM_KILLS: '12' },
  },
  articles: {
    file: 'test/crash/article-crash.test.ts',
    settings: { ARTICLE_STORM_PEOPLE: '50', ARTICLE_STORM_KILLS: '8' },
  },
  damage: { file: 'test/engine/damaged-state.test.ts', settings: { EVERY_DEED: '1' } },
  pipelines: { file: 'test/crash/pipeline-storm.test.ts', settings: { PIPELINE_STORM_PEOPLE: '200' } },
  kills: { file: 'test/crash/every-busy-state.test.ts', settings: { EVERY_MOMENT: '1' } },
  schedules: {
    file: 'test/crash/schedule-storm.test.ts',
    settings: { SCHEDULE_STORM_SIZE: '200', SCHEDULE_STORM_KILLS: '40' },
  },
  broadcast: {
    file: 'test/crash/broadcast-crash.test.ts',
    settings: {
      BROADCAST_PEOPLE: '10000',
      BROADCAST_KILLS: '20',
      BROADCAST_GAP_MS: '12',
      BROADCAST_LIMIT_MS: '900000',
    },
  },
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
