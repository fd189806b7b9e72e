import { DeliveryFailed, PlatformOff } from '../../errors.ts';
import type { Connection, ConnectionMetadata, ConnectionStatus } from '../../store/connections.ts';
import { type Platform, platformTitle } from '../platforms.ts';

export type Checked = { works: true } | { works: false; reason: string };

/** Asks the platform, changes nothing there; throws DeliveryFailed. */
export type Validator = (
  connection: Connection & { userId: number },
  credentials: unknown,
  signal: AbortSignal,
) => Promise<unknown>;

type Deps = {
  find(userId: number, connectionId: number): Promise<Connection | null>;
  credentials(userId: number, connectionId: number): Promise<unknown>;
  note(
    connectionId: number,
    change: { status: ConnectionStatus; metadata?: ConnectionMetadata },
  ): Promise<void>;
  /** Null: the bot has no settings for that platform. */
  validators: Readonly<Record<Platform, Validator | null>>;
  patienceMs?: number;
};

// Less than a person is left without an answer: see the engine's own patience.
const PATIENCE_MS = 6_000;
const tooSlow = 'Площадка не ответила за несколько секунд. Попробуйте ещё раз чуть позже.';

/** Whether a connection works, noted on it. What may pass by itself changes nothing. Null: there is no such connection. */
export const makeCheckConnection =
  ({ find, credentials, note, validators, patienceMs = PATIENCE_MS }: Deps) =>
  async (userId: number, connectionId: number): Promise<Checked | null> => {
    const connection = await find(userId, connectionId);
    if (!connection) return null;
    const validate = validators[connection.platform];
    if (!validate)
      return { works: false, reason: new PlatformOff(platformTitle(connection.platform)).userMessage };
    const patience = AbortSignal.timeout(patienceMs);
    try {
      await validate({ ...connection, userId }, await credentials(userId, connectionId), patience);
    } catch (error) {
      if (patience.aborted) return { works: false, reason: tooSlow };
      if (!(error instanceof DeliveryFailed)) throw error;
      const { userMessage, report } = error;
      if (report.category === 'PERMANENT')
        await note(connectionId, { status: 'error', metadata: { lastError: userMessage } });
      return { works: false, reason: userMessage };
    }
    await note(connectionId, { status: 'active' });
    return { works: true };
  };
