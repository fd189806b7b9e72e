import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { listen } from '../../src/http/server.ts';

export type Forwarder = Awaited<ReturnType<typeof startForwarder>>;

/** A load balancer in miniature: one after the other, without asking who is alive. 502 when no process answers. */
export async function startForwarder(
  ports: readonly number[],
  /** With it, what was taken is delivered once more, so much later: behind newer updates, to either process. */
  repeatAfterMs?: () => number,
) {
  const inFlight = new Map<number, number>(ports.map((port) => [port, 0]));
  const listeners = new Set<(port: number) => void>();
  const answers: number[] = [];
  let cut = 0;
  let turn = 0;
  let repeated = 0;
  const server = createServer((incoming, outgoing) => {
    turn += 1;
    forward(ports[turn % ports.length]!, incoming, outgoing);
  });
  const url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
  return {
    url,
    answers,
    cut: () => cut,
    repeated: () => repeated,
    inFlight: (port: number) => inFlight.get(port) ?? 0,
    nextTo,
    close,
  };

  function forward(port: number, incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, url: path, headers } = incoming;
    const onward = request(
      { host: '127.0.0.1', port, method, path, headers, agent: false },
      (answer: IncomingMessage) => {
        answers.push(answer.statusCode ?? 502);
        if (answer.statusCode === 200 && repeatAfterMs) setTimeout(repeat, repeatAfterMs());
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    inFlight.set(port, inFlight.get(port)! + 1);
    onward.once('close', () => inFlight.set(port, inFlight.get(port)! - 1));
    onward.once('error', (error) => {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') cut += 1;
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end();
    });
    const body: Buffer[] = [];
    if (repeatAfterMs) incoming.on('data', (chunk: Buffer) => body.push(chunk));
    incoming.pipe(onward);
    for (const listener of [...listeners]) listener(port);

    function repeat(): void {
      turn += 1;
      repeated += 1;
      const to = ports[turn % ports.length]!;
      const again = request({ host: '127.0.0.1', port: to, method, path, headers, agent: false }, (answer) =>
        answer.resume(),
      );
      again.on('error', () => undefined).end(Buffer.concat(body));
    }
  }

  /** Resolves when something is on its way to this port, or after that time. */
  function nextTo(port: number, patienceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, patienceMs);
      listeners.add(listener);
      function listener(to: number) {
        if (to === port) done();
      }
      function done() {
        clearTimeout(timer);
        listeners.delete(listener);
        resolve();
      }
    });
  }

  function close(): Promise<void> {
    return new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }
}
