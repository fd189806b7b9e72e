import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import postgres from 'postgres';
import { AddressRefused } from './fetch-errors.ts';
import { isPublicAddress } from './public-address.ts';

/** The last row that was read, as text: a driver would round its time. */
export type RowPlace = { id: string; ts: string | null };
export type ForeignRow = { place: RowPlace; columns: Readonly<Record<string, unknown>> };

export type ReadRows = (
  address: string,
  query: string,
  rows: { limit: number } & ({ after: RowPlace | null } | { newest: true }),
) => Promise<ForeignRow[]>;

type Options = {
  allowPrivate?: boolean;
  allows?: (address: string) => boolean;
  connectSeconds?: number;
  statementMs?: number;
};

/**
 * Somebody else's PostgreSQL, for reading alone. The query is theirs too: it runs in a read-only transaction for a limited
 * time, and brings a column `id` and, if it likes, a column `ts`, by which its rows are put in order. A row that appears
 * behind the last one read is never seen.
 */
export function createForeignDatabase(options: Options = {}): ReadRows {
  const { allowPrivate = false, connectSeconds = 10, statementMs = 15_000 } = options;
  const { allows = allowPrivate ? () => true : isPublicAddress } = options;
  return async (address, query, rows) => {
    const url = parsed(address);
    const sql = postgres(address, {
      ...{ host: await checkedAddress(url), port: Number(url.port || 5432), ...secured(url) },
      ...{ max: 1, connect_timeout: connectSeconds, onnotice: () => {} },
      connection: { application_name: 'seo-master', statement_timeout: statementMs },
    });
    try {
      return await sql.begin('read only', (tx) => selected(tx, query, rows));
    } finally {
      await sql.end({ timeout: 1 });
    }
  };

  async function checkedAddress({ hostname }: URL): Promise<string> {
    const bare = hostname.replace(/^\[|\]$/gu, '');
    const found = isIP(bare) ? [bare] : (await lookup(bare, { all: true })).map(({ address }) => address);
    const refused = found.find((address) => !allows(address));
    if (refused !== undefined) throw new AddressRefused(hostname, refused);
    return found[0] ?? bare;
  }
}

function parsed(address: string): URL {
  const isPostgres = URL.canParse(address) && /^postgres(?:ql)?:$/u.test(new URL(address).protocol);
  if (!isPostgres) throw new AddressRefused('', 'not an address of PostgreSQL');
  return new URL(address);
}

/** The connection goes to a checked address, the certificate belongs to the name. */
function secured({ hostname, searchParams }: URL): Pick<postgres.Options<Record<string, never>>, 'ssl'> {
  const mode = searchParams.get('sslmode') ?? 'disable';
  if (mode === 'disable') return {};
  if (mode === 'prefer' || mode === 'allow') return { ssl: 'prefer' };
  const name = isIP(hostname) ? {} : { servername: hostname };
  return { ssl: { ...name, rejectUnauthorized: mode.startsWith('verify') } };
}

async function selected(
  tx: postgres.TransactionSql,
  query: string,
  rows: Parameters<ReadRows>[2],
): Promise<ForeignRow[]> {
  // The line break ends a comment that the query may end with.
  const from = `(${query.replace(/[\s;]+$/u, '')}\n) as source`;
  const { columns } = await tx.unsafe(`select * from ${from} limit 0`, [], { prepare: true });
  const order = (['ts', 'id'] as const).flatMap(
    (name) => columns.find((column) => column.name === name) ?? [],
  );
  if (!order.some(({ name }) => name === 'id'))
    throw new TypeError('Expected a column "id" in what the query brings');
  const after = 'after' in rows ? rows.after : null;
  const isNewest = 'newest' in rows;
  const listed = (write: (name: string, at: number) => string) =>
    order.map(({ name }, at) => write(name, at)).join(', ');
  const types = await Promise.all(order.map(({ type }) => typeNamed(tx, type)));
  // What has no time has no place in the order either.
  const conditions = order.map(({ name }) => `source.${name} is not null`);
  if (after)
    conditions.push(
      `(${listed((name) => `source.${name}`)}) > (${listed((_, at) => `$${at + 1}::text::${types[at]}`)})`,
    );
  const found = await tx.unsafe<{ place_id: string; place_ts?: string }[]>(
    `select source.*, ${listed((name) => `source.${name}::text as place_${name}`)} from ${from}
     where ${conditions.join(' and ')}
     order by ${listed((name) => `source.${name}${isNewest ? ' desc' : ''}`)} limit ${Math.trunc(rows.limit)}`,
    after ? order.map(({ name }) => after[name as keyof RowPlace]) : [],
    { prepare: true },
  );
  const placed = found.map(({ place_id: id, place_ts: ts = null, ...rest }) => ({
    place: { id, ts },
    columns: rest,
  }));
  return isNewest ? placed.reverse() : placed;
}

async function typeNamed(tx: postgres.TransactionSql, oid: number): Promise<string> {
  const [row] = await tx<[{ name: string }]>`select format_type(${oid}::oid, null) as name`;
  return row.name;
}
