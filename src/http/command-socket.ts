import { rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { closeServer, createHttpServer, type HttpHandler, readBody, sendJson } from './server.ts';

/** Ten thousand rules of a shop come as one request. */
const LONGEST_REQUEST = 32 * 1024 * 1024;

export const commandSocket = (dataDir: string): string => join(dataDir, 'commands.sock');

export type CommandSocket = { close(): Promise<void> };

/**
 * Serves operators' commands to processes of the same system user: the embedded database has one process, and this one
 * is it. A socket that a dead process left is replaced; that no living one has it, the lock of the data directory tells.
 */
export async function startCommandSocket({
  dataDir,
  run,
  onError,
}: {
  dataDir: string;
  run(request: unknown): Promise<unknown>;
  onError(error: unknown): void;
}): Promise<CommandSocket> {
  const path = commandSocket(dataDir);
  await rm(path, { force: true });
  const server = createHttpServer([handle], onError);
  await listenOwnerOnly(server, path);
  return {
    async close() {
      await closeServer(server); // which removes the file, too
    },
  };

  async function handle(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    if (url.pathname !== '/subcommands' || request.method !== 'POST') return false;
    const asked: unknown = JSON.parse((await readBody(request, LONGEST_REQUEST)).toString());
    try {
      sendJson(response, 200, await run(asked));
    } catch (error) {
      onError(error);
      sendJson(response, 500, { error: error instanceof Error ? error.message : String(error) });
    }
    return true;
  }
}

/** The file is created inside `listen`: the umask keeps other users out from the first moment. */
function listenOwnerOnly(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const before = process.umask(0o177);
    try {
      server.listen(path, () => {
        server.off('error', reject);
        resolve();
      });
    } finally {
      process.umask(before);
    }
  });
}
