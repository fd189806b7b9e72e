import { type OperationsSocket, startOperationsSocket } from '../../http/operations-socket.ts';
import type { Log } from '../../log.ts';
import type { Sql } from '../../store/database.ts';
import type { Sealing } from '../../store/sealing.ts';
import { requestSchema } from './parse-command.ts';
import { makeRunOperation } from './run-operation.ts';

type Deps = { dataDir: string; sql: Sql; sealing: Sealing; onChanged: () => void; log: Log };

/** For a bot that has the embedded database: what the command asks for is done here. */
export function serveOperations({ dataDir, sql, sealing, onChanged, log }: Deps): Promise<OperationsSocket> {
  const run = makeRunOperation({ sql, sealing, onChanged });
  return startOperationsSocket({
    dataDir,
    run: async (request) => run(requestSchema.parse(request)),
    onError: (error) => log.error({ err: error }, 'an operation failed'),
  });
}

/** Without the socket the bot still works: only the command cannot reach it. */
export async function openOperations(deps: Deps): Promise<OperationsSocket | null> {
  try {
    return await serveOperations(deps);
  } catch (error) {
    deps.log.warn({ err: error }, 'npm run autopost will not reach this process');
    return null;
  }
}
