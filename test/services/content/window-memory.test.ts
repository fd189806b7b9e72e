import { setImmediate as settled } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { sanitizeAndRead } from '../../../src/services/content/sanitize-html.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What made a window remember its pages: ids, figures that are looked into, and data for search engines. */
const article = (n: number) => `
  <h2 id="part-${n}">Окна</h2><h2 id="same">Двери</h2><p>Текст <is-not-known>и слово</is-not-known></p>
  <figure><img src="https://example.ru/${n}.webp" alt="Окно"><figcaption>Окно</figcaption></figure>
  <figure><figcaption>Без картинки</figcaption></figure>
  <script type="application/ld+json">{"@type":"Article","name":"${n}"}</script>`;

it('one window serves many articles and holds none of them', async () => {
  const pages: WeakRef<object>[] = [];
  for (let n = 0; n < 30; n += 1) {
    const { html } = sanitizeAndRead(article(n), (page) => void pages.push(new WeakRef(page)));
    expect(html).toContain(`id="part-${n}"`);
    await settled();
  }
  await settled();
  collectGarbage();
  // The last one may still be in somebody's hands.
  expect(pages.filter((page) => page.deref()).length).toBeLessThanOrEqual(1);
});
