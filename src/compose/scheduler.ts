import { createQStash } from '../clients/qstash.ts';
import type { Config } from '../config.ts';
import { type IsSigned, makeIsSigned } from '../http/signed-call.ts';
import type { Log } from '../log.ts';
import { createEmbeddedSchedules } from '../services/schedules/embedded-schedules.ts';
import type { Schedules } from '../services/schedules/schedules.ts';
import type { Sql } from '../store/database.ts';
import { makeScheduledCalls } from '../store/scheduled-calls.ts';
import { deriveSigningKey } from '../store/signing-key.ts';

type Scheduler = {
  schedules: Schedules;
  /** Whether a call to one of our endpoints is the scheduler's. */
  isSigned: IsSigned;
  /** `ownUrl`: where this process listens. */
  start(ownUrl: string): void;
  stop(): Promise<void>;
};

/** What calls our endpoints at their time: QStash where it is set up, otherwise tables in our own database. */
export function composeScheduler({
  config,
  sql,
  key,
  log,
}: {
  config: Pick<Config, 'qstash' | 'publicUrl' | 'port'>;
  sql: Sql;
  key: string;
  log: Log;
}): Scheduler {
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const { qstash } = config;
  if (qstash) {
    return {
      schedules: createQStash({ ...qstash, publicUrl }),
      isSigned: makeIsSigned({ ...qstash, publicUrl }),
      start: () => undefined,
      stop: async () => undefined,
    };
  }
  let listeningAt: string | null = null;
  const signingKey = deriveSigningKey(key, 'scheduled calls').toString('base64url');
  const embedded = createEmbeddedSchedules({
    store: makeScheduledCalls(sql),
    ...{ signingKey, publicUrl, log },
    ownUrl: () => listeningAt,
  });
  return {
    schedules: embedded,
    isSigned: makeIsSigned({ publicUrl, currentKey: signingKey, nextKey: signingKey }),
    start(ownUrl) {
      listeningAt = ownUrl;
      embedded.start();
    },
    stop: embedded.stop,
  };
}
