import { z } from 'zod';
import { readPullConfig, SourceUnreadable } from '../../autopost/pull/pull-source.ts';
import { makeOperators } from '../../autopost/store/operators.ts';
import { makePullSources, type PullKind } from '../../autopost/store/pull-sources.ts';
import type { Json } from '../../engine/json.ts';
import { fromJson } from './from-json.ts';
import { knownWorkspace } from './known.ts';
import { BadArguments, defineSubcommand, identifier, option, text, workspace } from './subcommand.ts';
import { textTable } from './text-table.ts';

const config = z.record(z.string(), z.json());
const headers = fromJson(z.record(z.string(), z.string()));

/** As the readers of sources want it; on the command line the thing alone is named. */
const secrets: Readonly<Record<PullKind, z.ZodType<Json, string>>> = {
  rss: headers.transform((given) => ({ headers: given })),
  api: headers.transform((given) => ({ headers: given })),
  db: text.regex(/^postgres(?:ql)?:/u, 'expected postgres://…').transform((url) => ({ url })),
};

type SourceLine = {
  sourceId: string;
  kind: string;
  enabled: boolean;
  failures: number;
  nextRunAt: Date;
  error: { code?: string; message?: string } | null;
};

export const sourceSubcommands = [
  defineSubcommand({
    name: 'sources',
    summary: 'where posts are fetched from, and how that goes',
    options: { workspace },
    async run({ sql }, { workspace: id }) {
      await knownWorkspace(sql, id);
      const sources = await sql<SourceLine[]>`
        select s.source_id as "sourceId", s.kind, s.enabled, s.failures, s.next_run_at as "nextRunAt", why.error
        from pull_sources s left join lateral (
          select e.error from events e
          where e.workspace_id = s.workspace_id and e.action = 'pull_failed' and e.meta ->> 'source_id' = s.source_id
          order by e.ts desc limit 1
        ) why on s.failures > 0
        where s.workspace_id = ${id} order by s.source_id`;
      const table = textTable(
        sources,
        [
          ['source', ({ sourceId }) => sourceId],
          ['kind', ({ kind }) => kind],
          ['state', ({ enabled }) => (enabled ? 'on' : 'off')],
          ['failures', ({ failures }) => failures],
          ['next', ({ nextRunAt }) => nextRunAt],
          ['why', ({ error }) => error && [error.code, error.message].filter(Boolean).join(': ')],
        ],
        'no sources',
      );
      return { text: table, data: sources };
    },
  }),

  defineSubcommand({
    name: 'add-source',
    summary: 'fetch posts from a feed, an API or a database, or change how',
    changes: true,
    options: {
      workspace,
      id: option('s1', 'how it is named in commands', identifier),
      kind: option('rss|api|db', 'what it is; needed at first', z.enum(['rss', 'api', 'db']).optional()),
      config: option(`'{"url": "…"}'`, 'how it is read; needed at first', fromJson(config).optional()),
      secret: option(
        '…',
        'headers as JSON, of a db its connection address; - reads it from the input',
        text.optional(),
      ),
      disabled: option(null, 'not now; --no-disabled: again', z.boolean().optional()),
    },
    async run({ sql, sealing, by }, { workspace: id, id: sourceId, secret, disabled, ...given }) {
      await knownWorkspace(sql, id);
      const sources = makePullSources(sql, sealing);
      const before = await sources.find(id, sourceId);
      const kind = given.kind ?? before?.kind;
      const how = given.config ?? before?.config;
      if (kind === undefined || how === undefined)
        throw new BadArguments(`There is no source "${sourceId}" yet: give its --kind and --config.`);
      checkConfig(kind, how);
      const enabled = disabled === undefined ? (before?.enabled ?? true) : !disabled;
      await sources.save(id, {
        ...{ sourceId, kind, config: how, enabled },
        ...(secret !== undefined && { secret: readSecret(kind, secret) }),
      });
      await makeOperators(sql).noteConfigured(id, null, { source: sourceId, kind, enabled }, by);
      return {
        text: `source ${sourceId} (${kind}) is ${enabled ? 'on' : 'off'}.`,
        data: { sourceId, kind, enabled },
      };
    },
  }),
];

function checkConfig(kind: PullKind, how: unknown): void {
  try {
    readPullConfig(kind, how);
  } catch (error) {
    if (error instanceof SourceUnreadable) throw new BadArguments(error.message);
    throw error;
  }
}

/** What was typed is not repeated. */
function readSecret(kind: PullKind, typed: string): Json {
  const read = secrets[kind].safeParse(typed);
  if (read.success) return read.data;
  throw new BadArguments(`--secret: ${read.error.issues.map(({ message }) => message).join(', ')}`);
}
