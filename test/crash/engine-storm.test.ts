import { expect, inject, it } from 'vitest';
import { patience } from '../support/patience.ts';
import { faultsIn, runStorm } from './storm.ts';

const SECONDS = Number(process.env.ENGINE_STORM_SECONDS ?? 60);
const SEED = Number(process.env.CRASH_SEED ?? 20_261_118);

it.skipIf(!inject('redisUrl') || !inject('postgresUrl'))(
  'a storm of kills, pauses, restarts of both stores, repeats and old buttons loses nothing, does nothing twice and leaves nobody stuck',
  { timeout: SECONDS * 1_000 + patience(600_000) },
  async () => {
    const report = await runStorm({ seconds: SECONDS, seed: SEED });
    console.log(`engine storm: ${JSON.stringify({ seed: SEED, ...report })}`);
    expect(faultsIn(report), JSON.stringify(report)).toBe(0);
    expect(report.made).toBeGreaterThan(0);
  },
);
