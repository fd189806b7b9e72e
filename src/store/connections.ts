import type { Platform } from '../platforms/platforms.ts';
import type { Sql, TransactionSql } from './database.ts';
import type { Sealing } from './sealing.ts';

export type ConnectionStatus = 'active' | 'error' | 'disconnected';

export type Connection = {
  id: number;
  projectId: number;
  projectName: string;
  platform: Platform;
  status: ConnectionStatus;
  /** What the person knows it by: a host, a channel, a group, a board. */
  identifier: string;
  metadata: ConnectionMetadata;
  createdAt: Date;
};

/** What we learned about the other side; nothing secret. */
export type ConnectionMetadata = {
  /** In words for the person, while the status is `error`. */
  lastError?: string;
  [more: string]: unknown;
};

export type NewConnection = {
  projectId: number;
  platform: Platform;
  identifier: string;
  credentials: object;
  metadata?: ConnectionMetadata;
};

type SealedRow = Pick<Connection, 'projectId' | 'platform' | 'identifier'> & { sealed: string };

export type Connections = ReturnType<typeof makeConnections>;

/** Every call takes the person's id: a connection of somebody else's project is not found. */
export function makeConnections(sql: Sql, sealing: Sealing) {
  return { list, find, credentials, renew, holdTarget, owners, save, note, notePages, pagesOf, remove };

  /** The oldest first. Null when there is no such project. */
  async function list(userId: number, projectId: number): Promise<Connection[] | null> {
    const [project] = await sql`select id from projects where id = ${projectId} and user_id = ${userId}`;
    if (!project) return null;
    return sql<Connection[]>`
      select ${columns()} from platform_connections n join projects p on p.id = n.project_id
      where n.project_id = ${projectId} order by n.created_at, n.id`;
  }

  async function find(userId: number, connectionId: number): Promise<Connection | null> {
    const [row] = await sql<Connection[]>`
      select ${columns()} from platform_connections n join projects p on p.id = n.project_id
      where n.id = ${connectionId} and p.user_id = ${userId}`;
    return row ?? null;
  }

  /** The one place where credentials are opened. Null when there is no such connection. */
  async function credentials(userId: number, connectionId: number): Promise<unknown> {
    const [row] = await sql<SealedRow[]>`${sealedRow(userId, connectionId)}`;
    return row ? sealing.open(placeOf(row), row.sealed) : null;
  }

  /** Other credentials for the same target. False, and nothing changed, when they are no longer what they were. */
  async function renew(
    userId: number,
    connectionId: number,
    { were, are }: { were: unknown; are: object },
  ): Promise<boolean> {
    return sql.begin(async (tx) => {
      const [row] = await tx<SealedRow[]>`${sealedRow(userId, connectionId)} for update of n`;
      if (!row || JSON.stringify(sealing.open(placeOf(row), row.sealed)) !== JSON.stringify(were))
        return false;
      const sealed = sealing.seal(placeOf(row), are);
      await tx`update platform_connections set credentials = ${sealed} where id = ${connectionId}`;
      return true;
    });
  }

  /** Two people who connect one target at the same moment stand in a queue until the transaction ends. */
  async function holdTarget(tx: TransactionSql, platform: Platform, identifier: string): Promise<void> {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`${platform}:${identifier}`}, 0))`;
  }

  /** Who has this target already, in any project of anybody. */
  async function owners(
    platform: Platform,
    identifier: string,
    on: Sql | TransactionSql = sql,
  ): Promise<{ userId: number; projectId: number; projectName: string; connectionId: number }[]> {
    return on`
      select p.user_id as "userId", p.id as "projectId", p.name as "projectName", n.id as "connectionId"
      from platform_connections n join projects p on p.id = n.project_id
      where n.platform_type = ${platform} and n.identifier = ${identifier}`;
  }

  /** New, or the same target again with new credentials. Null when the project is not this person's. */
  async function save(
    userId: number,
    connection: NewConnection,
    on: Sql | TransactionSql = sql,
  ): Promise<number | null> {
    const { projectId, platform, identifier, metadata = {} } = connection;
    const sealed = sealing.seal(placeOf(connection), connection.credentials);
    const [row] = await on<{ id: number }[]>`
      insert into platform_connections (project_id, platform_type, identifier, credentials, metadata)
      select id, ${platform}, ${identifier}, ${sealed}, ${JSON.stringify(metadata)}::text::jsonb
      from projects where id = ${projectId} and user_id = ${userId}
      on conflict (project_id, platform_type, identifier) do update
      set credentials = excluded.credentials, status = 'active',
        metadata = platform_connections.metadata - 'lastError' || excluded.metadata
      returning id`;
    return row?.id ?? null;
  }

  /** Adds to what is known of it; a change to `active` forgets the last error. */
  async function note(
    connectionId: number,
    { status, metadata = {} }: { status?: ConnectionStatus; metadata?: ConnectionMetadata },
  ): Promise<void> {
    await sql`
      update platform_connections
      set status = coalesce(${status ?? null}, status),
        metadata = case when ${status ?? null}::text = 'active' then metadata - 'lastError' else metadata end
          || ${JSON.stringify(metadata)}::text::jsonb
      where id = ${connectionId}`;
  }

  async function notePages(connectionId: number, pages: readonly string[]): Promise<void> {
    await note(connectionId, { metadata: { internalLinks: pages } });
  }

  /** Addresses on the connected site, thousands of them at times: only articles read them. */
  async function pagesOf(userId: number, connectionId: number): Promise<string[]> {
    const [row] = await sql<{ pages: unknown }[]>`
      select n.metadata -> 'internalLinks' as pages
      from platform_connections n join projects p on p.id = n.project_id
      where n.id = ${connectionId} and p.user_id = ${userId}`;
    return Array.isArray(row?.pages) ? row.pages : [];
  }

  /** External triggers of its schedules must be gone before. Null when there is no such connection. */
  async function remove(userId: number, connectionId: number): Promise<{ projectId: number } | null> {
    const [row] = await sql<{ projectId: number }[]>`
      delete from platform_connections n using projects p
      where n.id = ${connectionId} and p.id = n.project_id and p.user_id = ${userId}
      returning p.id as "projectId"`;
    return row ?? null;
  }

  function sealedRow(userId: number, connectionId: number) {
    return sql`
      select n.project_id as "projectId", n.platform_type as platform, n.identifier, n.credentials as sealed
      from platform_connections n join projects p on p.id = n.project_id
      where n.id = ${connectionId} and p.user_id = ${userId}`;
  }

  function columns() {
    return sql`n.id, p.id as "projectId", p.name as "projectName", n.platform_type as platform, n.status,
      n.identifier, coalesce(n.metadata, '{}') - 'internalLinks' as metadata, n.created_at as "createdAt"`;
  }
}

/** Names the row by what makes it unique: sealed for one, it opens in no other. */
const placeOf = ({
  projectId,
  platform,
  identifier,
}: Pick<Connection, 'projectId' | 'platform' | 'identifier'>) =>
  `connection:${projectId}:${platform}:${identifier}`;
