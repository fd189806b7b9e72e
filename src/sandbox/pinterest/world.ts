import { randomBytes } from 'node:crypto';
import type { Journal } from '../journal.ts';

type PinterestAccount = { username: string; accountType: 'PINNER' | 'BUSINESS' };
export type BoardRow = {
  id: string;
  name: string;
  owner: string;
  privacy: 'PUBLIC' | 'PROTECTED' | 'SECRET';
};
export type PinRow = {
  id: string;
  boardId: string;
  title: string;
  description: string;
  link: string | null;
  altText: string | null;
  mime: string;
  at: number;
};
type CodeRow = { code: string; username: string; redirectUri: string };
type TokenRow = {
  accessToken: string;
  refreshToken: string;
  username: string;
  scope: string;
  expiresAt: number;
};

export type PinterestWorld = ReturnType<typeof openPinterestWorld>;

const ACCESS_SECONDS = 2_592_000;
export const REFRESH_SECONDS = 5_184_000;

/** Everything Pinterest's server knows: accounts, boards, who was let in, pins. */
export function openPinterestWorld(journal: Journal, now: () => number) {
  const accounts = journal.table<PinterestAccount>('accounts');
  const boards = journal.table<BoardRow>('boards');
  const pins = journal.table<PinRow>('pins');
  const codes = journal.table<CodeRow>('codes');
  const grants = journal.table<TokenRow>('grants');
  const lastIds = journal.table<number>('last-ids');
  let signedIn: string | null = null;
  const settings = journal.table<{ access: 'standard' | 'trial'; accessSeconds: number }>('settings');
  return {
    addAccount: (account: PinterestAccount) => accounts.put(account.username, account),
    account: (username: string) => accounts.get(username),
    accounts: () => accounts.values(),
    /** Whose browser asks for consent next: that account is offered first. */
    signIn: (username: string) => {
      signedIn = username;
    },
    signedIn: () => signedIn,
    addBoard,
    board: (id: string) => boards.get(id),
    boards: (owner: string) => boards.values().filter((board) => board.owner === owner),
    removeBoard: (id: string) => boards.remove(id),
    addPin,
    pin: (id: string) => pins.get(id),
    /** The newest first. */
    pins: (boardId?: string) =>
      pins
        .values()
        .filter((pin) => boardId === undefined || pin.boardId === boardId)
        .reverse(),
    removePins: (boardId: string) => {
      for (const pin of pins.values()) if (pin.boardId === boardId) pins.remove(pin.id);
    },
    issueCode,
    takeCode,
    grant,
    refresh,
    /** Null: unknown, or its time is over. */
    byAccess: (token: string) =>
      grants.values().find(({ accessToken, expiresAt }) => accessToken === token && expiresAt > now()) ??
      null,
    /** The person takes the application's access away. */
    revoke: (username: string) => {
      for (const row of grants.values()) if (row.username === username) grants.remove(row.refreshToken);
    },
    settings: () => settings.get('app') ?? { access: 'standard' as const, accessSeconds: ACCESS_SECONDS },
    change: (changes: Partial<{ access: 'standard' | 'trial'; accessSeconds: number }>) =>
      settings.put('app', {
        access: 'standard',
        accessSeconds: ACCESS_SECONDS,
        ...settings.get('app'),
        ...changes,
      }),
  };

  function addBoard({
    name,
    owner,
    privacy = 'PUBLIC',
  }: Omit<BoardRow, 'id' | 'privacy'> & Partial<BoardRow>) {
    const row: BoardRow = { id: newId('boards', 990_000_001), name, owner, privacy };
    boards.put(row.id, row);
    return row;
  }

  /** Never one that was used before, also when what had it is gone. */
  function newId(kind: string, first: number): string {
    const id = (lastIds.get(kind) ?? first - 1) + 1;
    lastIds.put(kind, id);
    return String(id);
  }

  function addPin(pin: Omit<PinRow, 'id' | 'at'>): PinRow {
    const row = { ...pin, id: newId('pins', 10_000_000_001), at: now() };
    pins.put(row.id, row);
    return row;
  }

  function issueCode(username: string, redirectUri: string): string {
    const code = randomBytes(20).toString('hex');
    codes.put(code, { code, username, redirectUri });
    return code;
  }

  function takeCode(code: string): CodeRow | null {
    const found = codes.get(code);
    codes.remove(code);
    return found ?? null;
  }

  function grant(username: string, scope: string): TokenRow {
    const { accessSeconds } = settings.get('app') ?? { accessSeconds: ACCESS_SECONDS };
    const row: TokenRow = {
      accessToken: `pina_${randomBytes(24).toString('hex')}`,
      refreshToken: `pinr_${randomBytes(24).toString('hex')}`,
      username,
      scope,
      expiresAt: now() + accessSeconds * 1_000,
    };
    grants.put(row.refreshToken, row);
    return row;
  }

  /** Both tokens are new afterwards, and the old ones good for nothing: two who refresh at once show their race. */
  function refresh(refreshToken: string): TokenRow | null {
    const old = grants.get(refreshToken);
    if (!old) return null;
    grants.remove(refreshToken);
    return grant(old.username, old.scope);
  }
}
