import { isIP } from 'node:net';
import postgres from 'postgres';
import { AddressRefused } from './http/fetch-errors.ts';
import { isPublicAddress } from './http/public-address.ts';
import { askNameServer, checkedAddress, type ResolveName } from './http/resolve-name.ts';

/** Where a row stands, as text: a driver would round its time. */
export type RowPlace = { id: string; ts: string | null };
type ForeignRow = {
  place: RowPlace;
  /** Short, of its place: a row that has another time now is another one. */
  key: string;
  /** It stands before the last one that was read. */
  isLate: boolean;
  columns: Readonly<Record<string, unknown>>;
};

/** `without`: keys of rows that are known. */
type Continued = { after: RowPlace | null; last: RowPlace | null; without: readonly string[] };

export type ReadRows = (
  address: string,
  query: string,
  rows: { limit: number } & (Continued | { newest: true }),
) => Promise<ForeignRow[]>;

type Options = {
  allowPrivate?: boolean;
  allows?: (address: string) => boolean;
  resolve?: ResolveName;
  connectSeconds?: number;
  statementMs?: number;
};

/**
 * Somebody else's PostgreSQL, for reading alone. The query is theirs too: it runs in a read-only transaction for a limited
 * time, and brings a column `id` and, if it likes, a column `ts`, by which its rows are put in order.
 */
export function createForeignDatabase(options: Options = {}): ReadRows {
  const { allowPrivate = false, connectSeconds = 10, statementMs = 15_000 } = options;
  const { allows = allowPrivate ? () => true : isPublicAddress, resolve = askNameServer } = options;
  return async (address, query, rows) => {
    const url = parsed(address);
    const { hostname } = url;
    const host = (await checkedAddress(hostname, { resolve, allows })) ?? hostname;
    const sql = postgres(address, {
      ...{ host, port: Number(url.port || 5432), ...secured(url) },
      ...{ max: 1, connect_timeout: connectSeconds, onnotice: () => {} },
      connection: { application_name: 'seo-master', statement_timeout: statementMs },
    });
    try {
      return await sql.begin('read only', (tx) => selected(tx, query, rows));
    } finally {
      await sql.end({ timeout: 1 });
    }
  };
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
  const isNewest = 'newest' in rows;
  const { after, last, without }: Continued = isNewest ? { after: null, last: null, without: [] } : rows;
  const listed = (write: (name: string, at: number) => string, between = ', ') =>
    order.map(({ name }, at) => write(name, at)).join(between);
  const types = await Promise.all(order.map(({ type }) => typeNamed(tx, type)));
  const values: (string | null | string[])[] = [[...without]];
  const key = `left(encode(sha256(convert_to(${listed((name) => `source.${name}::text`, ` || ' ' || `)}, 'UTF8')), 'hex'), 16)`;
  // What has no time has no place in the order either.
  const conditions = [...order.map(({ name }) => `source.${name} is not null`), `${key} <> all($1::text[])`];
  const isNew = last ? isBehind(last) : 'true';
  if (after) conditions.push(isBehind(after));
  const found = await tx.unsafe<FoundRow[]>(
    `select source.*, ${listed((name) => `source.${name}::text as place_${name}`)}, ${key} as place_key,
       ${isNew} as place_is_new
     from ${from} where ${conditions.join(' and ')}
     order by ${listed((name) => `source.${name}${isNewest ? ' desc' : ''}`)} limit ${Math.trunc(rows.limit)}`,
    values,
    { prepare: true },
  );
  const placed = found.map(({ place_id: id, place_ts: ts = null, place_key, place_is_new, ...rest }) => ({
    place: { id, ts },
    key: place_key,
    isLate: !place_is_new,
    columns: rest,
  }));
  return isNewest ? placed.reverse() : placed;

  function isBehind(place: RowPlace): string {
    const first = values.push(...order.map(({ name }) => place[name as keyof RowPlace])) - order.length + 1;
    const there = listed((_, at) => `$${first + at}::text::${types[at]}`);
    return `(${listed((name) => `source.${name}`)}) > (${there})`;
  }
}

type FoundRow = { place_id: string; place_ts?: string; place_key: string; place_is_new: boolean };

async function typeNamed(tx: postgres.TransactionSql, oid: number): Promise<string> {
  const [row] = await tx<[{ name: string }]>`select format_type(${oid}::oid, null) as name`;
  return row.name;
}
