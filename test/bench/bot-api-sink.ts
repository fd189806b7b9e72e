/**
 * The Bot API as cheap as it can be: every call is answered at once, from a canned text. Of the body only the buttons
 * under which money is spent are read out, because they carry a mark that cannot be guessed. Plain sockets, because Node's own HTTP server would cost as much as a bot. Told to expect a number of
 * messages, it says when the first and the last of them came.
 */
import { createServer, type Socket } from 'node:net';

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('\r\n0\r\n\r\n');
const messages = ['sendMessage', 'editMessageText', 'sendPhoto', 'editMessageMedia'];
let messageId = 1;
let arrived = 0;
let expected = 0;

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  let pending: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (;;) {
      const head = pending.indexOf(headEnd);
      if (head === -1) return;
      const headers = pending.toString('latin1', 0, head);
      const length = Number(/content-length: (\d+)/iu.exec(headers)?.[1] ?? 0);
      // A picture comes in chunks, of which only the end is looked for.
      const isChunked = /transfer-encoding: chunked/iu.test(headers);
      const last = isChunked ? pending.indexOf(lastChunk, head) : 0;
      if (last === -1) return;
      const end = isChunked ? last + lastChunk.length : head + headEnd.length + length;
      if (pending.length < end) return;
      tellButtons(pending.subarray(head, end));
      pending = pending.subarray(end);
      answer(
        socket,
        headers.slice(headers.lastIndexOf('/', headers.indexOf(' HTTP')) + 1, headers.indexOf(' HTTP')),
      );
    }
  });
});

function answer(socket: Socket, method: string): void {
  const result = resultOf(method);
  const body = `{"ok":true,"result":${result}}`;
  socket.write(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: keep-alive\r\n\r\n${body}`,
  );
}

function resultOf(method: string): string {
  if (method === 'getMe')
    return '{"id":1000000001,"is_bot":true,"first_name":"Bench","username":"bench_bot"}';
  if (!messages.includes(method)) return 'true';
  messageId += 1;
  noteArrival();
  return `{"message_id":${messageId},"date":1790000000,"chat":{"id":1,"type":"private","first_name":"A"},"text":"..."}`;
}

function tellButtons(body: Buffer): void {
  if (!body.includes('pub:article:') && !body.includes('pub:social:')) return;
  const text = body.toString('latin1');
  // In JSON, or as a field of a form whose value stands in a chunk of its own.
  const chat = Number(
    /"chat_id":(\d+)|name="chat_id"[\s\S]{0,40}?\r\n(\d{5,})\r\n/u.exec(text)?.slice(1).find(Boolean),
  );
  const buttons = [...text.matchAll(/pub:(?:article|social):\w+~[\w-]+/gu)].map(([data]) => data);
  process.send?.({ chat, buttons });
}

function noteArrival(): void {
  arrived += 1;
  const at = process.hrtime.bigint().toString(); // one clock for all processes of this machine
  if (arrived === 1 && expected > 0) process.send?.({ arrival: 'first', at });
  if (arrived === expected) process.send?.({ arrival: 'last', at });
}

process.on('message', ({ expect }: { expect: number }) => {
  process.send?.({ arrival: 'expected', before: arrived });
  arrived = 0;
  expected = expect;
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address) process.send?.(address.port);
});
process.once('disconnect', () => process.exit());
