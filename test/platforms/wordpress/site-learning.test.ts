import { expect, it } from 'vitest';
import { createSiteLearning } from '../../../src/platforms/wordpress/site-learning.ts';
import { keptLog } from '../../services/pictures/kept-log.ts';

const site = { connectionId: 3, projectId: 5, userId: 1, url: 'https://romashka.ru/' };

it('begins without keeping anybody waiting, and ends with the process', async () => {
  const { log, lines } = keptLog();
  let ended: unknown = null;
  const learning = createSiteLearning(
    ({ signal }) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          ended = signal.reason;
          reject(signal.reason);
        }),
      ),
    log,
  );
  expect(learning.begin(site)).toBeUndefined();
  await learning.stop();
  expect(ended).not.toBeNull();
  expect(lines, 'a stop is no failure').toEqual([]);
});

it('E56: a failure is a line in the log and nothing more', async () => {
  const { log, lines } = keptLog();
  const learning = createSiteLearning(() => Promise.reject(new Error('no reader')), log);
  learning.begin(site);
  await expect.poll(() => lines).toMatchObject([{ level: 'warn', projectId: 5 }]);
  await learning.stop();
});
