import type { Database } from '../../store/database.ts';

/** Without a workspace: something may have come anywhere. */
type OnWake = (workspaceId?: string) => void;

export type Wake = {
  /** For this process; other processes are notified by the database. */
  ring: OnWake;
  listen(onWake: OnWake): Promise<{ stop(): Promise<void> }>;
};

const CHANNEL = 'deliveries';

/** Tells that there is something to send. PGlite has one connection and so no LISTEN: there only `ring` is heard. */
export function makeWake({ sql, embedded }: Pick<Database, 'sql' | 'embedded'>): Wake {
  const listeners = new Set<OnWake>();
  let hearing: Promise<unknown> | null = null;
  return { ring, listen };

  function ring(workspaceId?: string): void {
    for (const listener of listeners) listener(workspaceId);
  }

  async function listen(onWake: OnWake) {
    if (!embedded) await hear();
    listeners.add(onWake);
    return { stop: async () => void listeners.delete(onWake) };
  }

  /**
   * Once for all listeners, until the database is closed: the driver listens again after every lost connection, and
   * then cannot be told to stop. Notifications sent while no one listened are lost, hence the ring whenever it listens anew.
   */
  async function hear(): Promise<void> {
    hearing ??= sql.listen(CHANNEL, ring, () => ring());
    try {
      await hearing;
    } catch (error) {
      hearing = null;
      throw error;
    }
  }
}
