import type { Json } from '../engine/json.ts';
import type { Operations } from '../engine/operations.ts';
import { AppError, NotFound } from '../errors.ts';
import type { RateLimits } from '../services/money/rate-limits.ts';
import type { NewConnection } from '../store/connections.ts';
import type { Platform } from './platforms.ts';

class TargetTaken extends AppError {
  readonly code = 'TARGET_TAKEN';
  readonly userMessage: string;
  constructor(name: string) {
    super(`"${name}" belongs to another person`);
    this.userMessage =
      `«${name}» уже есть у другого пользователя бота: одну площадку ведёт один человек. ` +
      'Если она ваша, попросите удалить это подключение того, кто его добавил, или подключите другую.';
  }
}

type Deps<Tx> = {
  operations: Operations<Tx>;
  limits: Pick<RateLimits, 'reserve'>;
  connections: {
    /** Locks the target until the transaction ends. */
    holdTarget(tx: Tx, platform: Platform, identifier: string): Promise<void>;
    owners(platform: Platform, identifier: string, tx: Tx): Promise<{ userId: number }[]>;
    save(userId: number, connection: NewConnection, tx: Tx): Promise<number | null>;
  };
};

type Call = { key: string; userId: number; request: Json; signal: AbortSignal };

export type ConnectTarget = ReturnType<typeof makeConnectTarget>;

/** Connects a target of any platform once per key, or not at all: what was refused leaves nothing behind. */
export const makeConnectTarget =
  <Tx>({ operations, limits, connections }: Deps<Tx>) =>
  /**
   * `learn` asks the platform whether this access may publish, and throws with the reason why not; `onSaved` is told
   * once, however often the operation is resumed after its end.
   */
  (
    call: Call,
    learn: (signal: AbortSignal) => Promise<NewConnection>,
    onSaved: (connectionId: number) => void = () => {},
  ): Promise<{ connectionId: number }> => {
    const { key, userId, request } = call;
    return operations.withStages(call, async (_, lease) => {
      // By the key, not by a stage: a process that dies between the two would count the try again.
      await limits.reserve(key, userId, { platform_connection: 1 });
      const target = await learn(lease);
      const connectionId = await operations.inTransaction({ key: `${key}:save`, userId, request }, (tx) =>
        save(tx, userId, target),
      );
      onSaved(connectionId);
      return { connectionId };
    });

    async function save(tx: Tx, owner: number, target: NewConnection): Promise<number> {
      const { platform, identifier, metadata } = target;
      await connections.holdTarget(tx, platform, identifier);
      const owners = await connections.owners(platform, identifier, tx);
      const name = typeof metadata?.title === 'string' ? metadata.title : identifier;
      if (owners.some(({ userId: other }) => other !== owner)) throw new TargetTaken(name);
      const id = await connections.save(owner, target, tx);
      if (id === null) throw new NotFound(`project ${target.projectId}`, 'Проект удалён.');
      return id;
    }
  };
