import { type CommandSocket, startCommandSocket } from '../../http/command-socket.ts';
import type { Log } from '../../log.ts';
import type { Sql } from '../../store/database.ts';
import type { Sealing } from '../../store/sealing.ts';
import { requestSchema } from './parse-command.ts';
import { makeRunSubcommand } from './run-subcommand.ts';
import type { Places } from './subcommand.ts';

type Deps = {
  dataDir: string;
  sql: Sql;
  sealing: Sealing;
  places: Places;
  onChanged: () => void;
  log: Log;
};

/** For a bot that has the embedded database: what the command asks for is done here. */
export function serveSubcommands({ dataDir, log, ...deps }: Deps): Promise<CommandSocket> {
  const run = makeRunSubcommand(deps);
  return startCommandSocket({
    dataDir,
    run: async (request) => run(requestSchema.parse(request)),
    onError: (error) => log.error({ err: error }, 'a subcommand failed'),
  });
}

/** Without the socket the bot still works: only the command cannot reach it. */
export async function openCommandSocket(deps: Deps): Promise<CommandSocket | null> {
  try {
    return await serveSubcommands(deps);
  } catch (error) {
    deps.log.warn({ err: error }, 'npm run autopost will not reach this process');
    return null;
  }
}
