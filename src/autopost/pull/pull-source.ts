import { z } from 'zod';
import { AppError } from '../../errors.ts';
import type { PullCursor, PullKind } from '../store/pull-sources.ts';

/** One post of a source, in the format of a pushed one, and checked in the same way. */
export type PulledItem = {
  id: string;
  ts: string | null;
  body: unknown;
  /** By which it is known again, where that is not its id alone. */
  key?: string;
  /** A row that appeared behind the last one, which stays the last. */
  isLate?: boolean;
};

export type Pulled = {
  /** Oldest first. */
  items: readonly PulledItem[];
  /** What is to be remembered when all of them are taken. */
  marks: Pick<PullCursor, 'etag' | 'last_modified'>;
};

export type Reading = { secret: unknown; cursor: PullCursor; signal: AbortSignal };

/** Null: nothing has changed since. */
export type ReadSource<Kind extends PullKind> = (
  config: PullConfigs[Kind],
  reading: Reading,
) => Promise<Pulled | null>;

/** The source answered, and not with what was expected of it. */
export class SourceUnreadable extends AppError {
  readonly code = 'SOURCE_UNREADABLE';
  readonly userMessage = 'Источник не читается. Проверьте его адрес и настройки.';
  override readonly retryable = true;
  constructor(why: string, cause?: unknown) {
    super(why);
    this.cause = cause;
  }
}

const schedule = {
  every_seconds: z.int().min(15).default(300),
  /** Of a new source only the newest: its whole past would flood the channels. */
  first_items: z.int().min(0).max(50).default(1),
  /** In one run; the rest follows at once, behind the other sources. */
  max_items: z.int().min(1).max(100).default(20),
};
const parse_mode = z.enum(['HTML', 'Markdown', 'None']).optional();
const path = z.string().min(1).max(200);

const configs = {
  rss: z.object({ ...schedule, url: z.url(), pictures: z.boolean().default(true) }),
  db: z.object({ ...schedule, query: z.string().min(1).max(20_000), parse_mode }),
  api: z.object({
    ...schedule,
    /** `{last_seen_id}` and `{last_seen_ts}` in it are filled in. */
    url: z.string().min(1).max(2_048),
    /** Where the list stands in the answer, as `data.items`; empty: the answer is the list. */
    items: z.string().max(200).default(''),
    map: z.object({
      id: path,
      text: path.optional(),
      ts: path.optional(),
      media: path.optional(),
      links: path.optional(),
      tags: path.optional(),
    }),
    parse_mode,
  }),
};

export type PullConfigs = { [Kind in PullKind]: z.infer<(typeof configs)[Kind]> };

/** Throws SourceUnreadable that names everything that is wrong. Used when a source is saved and when it is run. */
export function readPullConfig<Kind extends PullKind>(kind: Kind, config: unknown): PullConfigs[Kind] {
  const parsed = configs[kind].safeParse(config);
  if (parsed.success) return parsed.data as PullConfigs[Kind];
  throw new SourceUnreadable(`the settings of the source: ${z.prettifyError(parsed.error)}`, parsed.error);
}
