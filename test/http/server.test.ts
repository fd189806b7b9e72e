import { Agent, createServer, request } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { createHttpServer, listen, PortTaken, readBody, sendJson } from '../../src/http/server.ts';

it('a port that is taken is named together with the setting that changes it', async () => {
  const first = createServer();
  onTestFinished(() => void first.close());
  const port = await listen(first, 0, '127.0.0.1');
  const second = listen(createServer(), port, '127.0.0.1');
  await expect(second).rejects.toThrow(PortTaken);
  await expect(second).rejects.toThrow(`Port ${port} is taken by another process. Stop it, or set PORT.`);
});

it('a body that is too large is refused, and what its sender asks next over the same connection is answered', async () => {
  const read = createHttpServer(
    [
      async (incoming, response) => {
        sendJson(response, 200, { bytes: (await readBody(incoming, 10)).length });
        return true;
      },
    ],
    (error) => {
      throw error;
    },
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => {
    agent.destroy();
    read.close();
  });
  const port = await listen(read, 0, '127.0.0.1');
  expect(await statusOf('x'.repeat(2_000_000))).toBe(413);
  expect(await statusOf('x')).toBe(200);

  function statusOf(body: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const sent = request({ agent, port, host: '127.0.0.1', method: 'POST' }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode));
      });
      sent.once('error', reject).end(body);
    });
  }
});
