import type { Log } from '../../log.ts';

type Deps = {
  expireDrafts(): Promise<{ expired: number; refunds: number }>;
  removeOldLogs(): Promise<number>;
  sweepDialogues(): Promise<unknown>;
  files: { listOlderThan(moment: Date): Promise<string[]>; remove(paths: readonly string[]): Promise<void> };
  /** Paths of pictures that a draft still shows. */
  picturesOfDrafts(): Promise<string[]>;
  log: Log;
  now(): Date;
};

/** A draft lives for a day; a file that nothing has named for two was lost on the way. */
const ORPHANED_MS = 48 * 3_600_000;

/** `{user}/{project}/{file}`: drawn for a text. People's own photos and files of channels lie under other names. */
const drawn = /^\d+\/\d+\/[^/]+$/u;

/** The daily tidying. One part that fails stops no other. */
export const makeCleanUp =
  ({ expireDrafts, removeOldLogs, sweepDialogues, files, picturesOfDrafts, log, now }: Deps) =>
  async () => {
    const { expired, refunds } = await attempted('drafts', expireDrafts, { expired: 0, refunds: 0 });
    const logsDeleted = await attempted('logs', removeOldLogs, 0);
    await attempted('dialogues', sweepDialogues, null);
    const orphans = await attempted('files', removeOrphans, 0);
    return { expired, refunds, logs_deleted: logsDeleted, files_deleted: orphans };

    async function removeOrphans(): Promise<number> {
      const old = await files.listOlderThan(new Date(now().getTime() - ORPHANED_MS));
      const used = new Set(await picturesOfDrafts());
      const orphans = old.filter((path) => drawn.test(path) && !used.has(path));
      await files.remove(orphans);
      return orphans.length;
    }

    async function attempted<Result>(
      part: string,
      work: () => Promise<Result>,
      otherwise: Result,
    ): Promise<Result> {
      try {
        return await work();
      } catch (err) {
        log.error({ err, part }, 'a part of the cleanup failed');
        return otherwise;
      }
    }
  };
