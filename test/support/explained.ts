import postgres from 'postgres';
import type { Sql } from '../../src/store/database.ts';

type Node = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Node[] };
export type Explained = { query: string; ms: number; seqScans: string[]; indexes: string[] };

/** Asks a database and, of everything it was asked, how it found the answer. */
export function watchQueries(url: string) {
  const asked: { query: string; parameters: unknown[] }[] = [];
  let isWatching = false;
  const sql = postgres(url, {
    max: 4,
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    onnotice: () => undefined,
    debug: (_, query, parameters) => {
      if (isWatching && !/pg_catalog|^\s*explain/u.test(query)) asked.push({ query, parameters });
    },
  });
  return { sql: sql as unknown as Sql, explain, close: () => sql.end({ timeout: 5 }) };

  async function explain(work: () => Promise<unknown>): Promise<Explained[]> {
    isWatching = true;
    await work();
    isWatching = false;
    const plans: Explained[] = [];
    for (const { query, parameters } of asked.splice(0)) {
      const [row] = await sql.unsafe(`explain (analyze, format json) ${query}`, parameters as never[]);
      const [{ Plan: plan, 'Execution Time': ms }] = row!['QUERY PLAN'];
      const nodes = flat(plan);
      plans.push({
        query: query.replace(/\s+/gu, ' ').trim(),
        ms,
        seqScans: nodes.flatMap((node) =>
          node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : [],
        ),
        indexes: nodes.flatMap((node) => node['Index Name'] ?? []),
      });
    }
    return plans;
  }
}

const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)];
