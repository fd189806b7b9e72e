import { connect, type Socket } from 'node:net';

export type Update = { update_id: number } & Record<string, unknown>;

const ANSWER_WITHIN_MS = 60_000;

/** One person's line to the webhook: kept open, one request at a time, as cheap as the sink for the same reason. */
export async function openLine(port: number, secret: string) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return { post: (update: Update) => post(socket, port, secret, update), close: () => socket.destroy() };
}

function post(socket: Socket, port: number, secret: string, update: Update): Promise<void> {
  const body = JSON.stringify(update);
  const head =
    `POST /webhook HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: keep-alive\r\ncontent-type: application/json\r\n` +
    `x-telegram-bot-api-secret-token: ${secret}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    let answer = '';
    const patience = setTimeout(() => socket.destroy(), ANSWER_WITHIN_MS);
    socket.on('data', heard).once('close', lost);
    socket.write(head + body);

    function heard(chunk: Buffer): void {
      answer += chunk.toString('latin1');
      if (!isWhole(answer)) return;
      done();
      if (answer.startsWith('HTTP/1.1 200')) resolve();
      else reject(new Error(`the bot answered ${answer.slice(0, 200)}`));
    }
    function lost(): void {
      done();
      reject(new Error('the bot closed the connection'));
    }
    function done(): void {
      clearTimeout(patience);
      socket.off('data', heard).off('close', lost);
    }
  });
}

function isWhole(answer: string): boolean {
  const head = answer.indexOf('\r\n\r\n');
  if (head === -1) return false;
  const length = /\r\ncontent-length: (\d+)/iu.exec(answer.slice(0, head))?.[1];
  if (length !== undefined) return answer.length >= head + 4 + Number(length);
  return answer.endsWith('0\r\n\r\n'); // chunked
}

let nextUpdateId = 1_000_000;

/** Above every id the sink gives: a press is always on the newest message. */
const NEWEST_MESSAGE = 2_000_000_000;

export function said(userId: number, text: string): Update {
  const command = text.startsWith('/') && {
    entities: [{ type: 'bot_command', offset: 0, length: text.length }],
  };
  return {
    update_id: nextUpdateId++,
    message: {
      message_id: nextUpdateId,
      date: 1_790_000_000,
      chat: chatOf(userId),
      from: userOf(userId),
      text,
      ...command,
    },
  };
}

export function pressed(userId: number, data: string): Update {
  return {
    update_id: nextUpdateId++,
    callback_query: {
      id: String(nextUpdateId),
      from: userOf(userId),
      chat_instance: String(userId),
      data,
      message: { message_id: NEWEST_MESSAGE, date: 1_790_000_000, chat: chatOf(userId), text: '…' },
    },
  };
}

const userOf = (id: number) => ({
  id,
  is_bot: false,
  first_name: 'Анна',
  username: `user_${id}`,
  language_code: 'ru',
});
const chatOf = (id: number) => ({ id, type: 'private', first_name: 'Анна', username: `user_${id}` });
