import { makeAdminStore } from '../../src/store/admin.ts';
import { makeBroadcasts } from '../../src/store/broadcasts.ts';
import { makeWorkload } from '../../src/store/workload.ts';
import { startOwnPostgres } from '../crash/throwaway-servers.ts';
import { watchQueries } from '../support/explained.ts';
import { seedBusiness } from '../support/seeded-business.ts';
import { median, type Outcome, spread } from './outcome.ts';
import { createDatabase } from './own-database.ts';

const PEOPLE = 100_000;
const LEDGER = 1_000_000;
const ROUNDS = 7;

/** How long the owner's pages ask the database, with 100,000 people and a million rows of the ledger. */
export async function ownerFigures(): Promise<Outcome[]> {
  const postgres = await startOwnPostgres({ shared_buffers: '512MB' });
  try {
    const watched = watchQueries(await createDatabase(postgres.url, 'owner_figures'));
    await seedBusiness(watched.sql, { people: PEOPLE, ledger: LEDGER });
    const store = makeAdminStore(watched.sql);
    const workload = makeWorkload(watched.sql);
    const { sizes } = makeBroadcasts(watched.sql);
    const pages: Record<string, () => Promise<unknown>> = {
      panel: store.figures,
      'costs of 90 days': () => store.apiCosts(90),
      'plot of 90 days': () => store.daily(90),
      'card of a person': () => store.person(4_242),
      'found by name': () => store.find('@name_4242'),
      monitor: workload,
      'sizes of audiences': sizes,
    };
    const outcomes: Outcome[] = [];
    for (const [name, ask] of Object.entries(pages)) {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const begun = performance.now();
        await ask();
        times.push(performance.now() - begun);
      }
      const plans = await watched.explain(ask);
      const scanned = plans.flatMap(({ seqScans }) => seqScans);
      outcomes.push({
        case: `owner-figures: ${name}`,
        ours: Number(median(times).toFixed(1)),
        ...{ peer: 50, ratio: median(times) / 50, unit: 'ms' },
        notes: `${PEOPLE} people, ${LEDGER} rows of the ledger; ${spread(times)} ms in ${ROUNDS} rounds; ${plans.length} queries, by ${[...new Set(plans.flatMap(({ indexes }) => indexes))].join(', ') || 'no index'}${scanned.length > 0 ? `; whole tables: ${scanned.join(', ')}` : ''}`,
      });
    }
    await watched.close();
    return outcomes;
  } finally {
    await postgres.close();
  }
}
