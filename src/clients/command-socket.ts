import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/** No process listens there, or not yet. */
export class NoBotListening extends Error {
  override readonly name = 'NoBotListening';
}

/** Hands a command to the bot that holds the embedded database. Not repeated: it may change something. */
export async function askSubcommand(socketPath: string, asked: unknown): Promise<unknown> {
  const { status, body } = await post(socketPath, JSON.stringify(asked));
  const answer = JSON.parse(body) as { error?: string };
  if (status !== 200) throw new Error(`The bot could not do it: ${answer.error ?? status}`);
  return answer;
}

function post(socketPath: string, body: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path: '/subcommands', method: 'POST', agent: false });
    call.once('error', (error: NodeJS.ErrnoException) => {
      const absent = ['ENOENT', 'ECONNREFUSED', 'EINVAL'].includes(error.code ?? '');
      reject(absent ? new NoBotListening(`no bot listens on ${socketPath}`, { cause: error }) : error);
    });
    call.once('response', (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer }), reject);
    });
    call.end(body);
  });
}
