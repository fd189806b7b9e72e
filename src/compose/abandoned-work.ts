import type { Log } from '../log.ts';
import type { Screen } from '../screens/kit/screen.ts';
import { abandonedScreen } from '../screens/pages/publication-news.ts';
import { outcomeOfAbandoned } from '../services/money/paid-work.ts';
import { makeEndAbandonedWork } from '../store/abandoned-work.ts';

type Deps = Pick<Parameters<typeof makeEndAbandonedWork>[0], 'sql' | 'ledger' | 'drafts'> & {
  tell(userId: number, screen: Screen): Promise<void>;
  log: Log;
};

/** Ends abandoned paid work, and tells those who got their tokens back. */
export function makeEndAbandoned({ tell, log, ...stores }: Deps) {
  const endAbandonedWork = makeEndAbandonedWork({ ...stores, outcomeOf: outcomeOfAbandoned });

  return async (): Promise<void> => {
    for (const { key, userId, description, returned } of await endAbandonedWork()) {
      log.warn({ key, user: userId, returned }, 'abandoned work was ended');
      if (returned === 0) continue;
      await tell(userId, abandonedScreen(description, returned)).catch((err) =>
        log.warn({ err, user: userId }, 'a refund was not told'),
      );
    }
  };
}
