import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { listen, PortTaken } from '../../src/http/server.ts';

it('a port that is taken is named together with the setting that changes it', async () => {
  const first = createServer();
  onTestFinished(() => void first.close());
  const port = await listen(first, 0, '127.0.0.1');
  const second = listen(createServer(), port, '127.0.0.1');
  await expect(second).rejects.toThrow(PortTaken);
  await expect(second).rejects.toThrow(`Port ${port} is taken by another process. Stop it, or set PORT.`);
});
