import { createLog } from '../../src/log.ts';
import { toHtml } from '../../src/messengers/telegram/to-html.ts';
import { type Link, to } from '../../src/screens/kit/link.ts';
import { makeReadPriceFile } from '../../src/services/category/prices-file/read-price-file.ts';
import { createWorkbookDesk } from '../../src/workers/workbook-desk.ts';
import { aCluster, aPhrase } from '../menu/played-keywords.ts';
import { CATEGORY as cid, OWNER, playedMenu } from '../menu/played-menu.ts';
import { workbookOf } from '../support/workbook-of.ts';
import { withLoopDelay } from './loop-delay.ts';
import { median, type Outcome, spread } from './outcome.ts';

const GOODS = 1_000;
const FILE_TARGET_MS = 300;
const LOOP_TARGET_MS = 50;
const CLUSTERS = 250;
const PHRASES = 5_000;
const PAGE_TARGET_MS = 50;
const ROUNDS = 20;

/** The longest price list that is taken, as the bot reads it: in a thread that is warm, because it is warmed with the download. */
export async function priceFile(): Promise<Outcome> {
  const desk = createWorkbookDesk({ log: createLog('silent', false) });
  const read = makeReadPriceFile(desk.read);
  const goods = Array.from({ length: GOODS }, (_, n) => [`Кухня «Модель ${n}»`, 45_000 + n, 'МДФ, плёнка']);
  const file = await workbookOf(['Название', 'Цена', 'Описание'], ...goods);
  try {
    await read(file);
    const took: number[] = [];
    const { delay } = await withLoopDelay(async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const began = performance.now();
        const { lines } = await read(file);
        took.push(performance.now() - began);
        if (lines.length !== GOODS) throw new Error(`read ${lines.length} goods of ${GOODS}`);
      }
    });
    return {
      case: 'price-file',
      ours: Math.round(median(took)),
      peer: null,
      ratio: median(took) / FILE_TARGET_MS,
      unit: 'ms',
      notes:
        `${GOODS} rows, ${Math.round(file.length / 1024)} kB, median of ${ROUNDS}, ${spread(took)} ms; ` +
        `event-loop delay ${delay.p99.toFixed(1)} ms at p99, longest ${delay.max.toFixed(1)}; ` +
        `targets below ${FILE_TARGET_MS} and ${LOOP_TARGET_MS} ms`,
    };
  } finally {
    await desk.close();
  }
}

/** The pages of a category with as many phrases as ten lists of the longest kind, from the stored list to Telegram's HTML. */
export async function bigCategory(): Promise<Outcome> {
  const each = PHRASES / CLUSTERS;
  const keywords = Array.from({ length: CLUSTERS }, (_, cluster) =>
    aCluster(
      `Кухни, тема ${cluster}`,
      Array.from({ length: each }, (_unused, n) => aPhrase(`кухни на заказ тема ${cluster} фраза ${n}`, n)),
    ),
  );
  const menu = playedMenu({ keywords });
  const visitor = { userId: OWNER, firstName: 'Анна', isAdmin: false };
  const links = [to('category:{cid}:keywords', { cid }), to('kw:{cid}:clusters', { cid })];
  for (let round = 0; round < ROUNDS; round += 1) await opened(links[round % 2]!);
  const took: number[] = [];
  for (let round = 0; round < ROUNDS * 5; round += 1) took.push(await opened(links[round % 2]!));
  took.sort((one, other) => one - other);
  return {
    case: 'big-category',
    ours: Number(median(took).toFixed(1)),
    peer: null,
    ratio: median(took) / PAGE_TARGET_MS,
    unit: 'ms',
    notes:
      `${PHRASES} phrases in ${CLUSTERS} clusters: route, page and HTML, without the database; ` +
      `p99 ${took[Math.floor(took.length * 0.99)]!.toFixed(1)} ms; target below ${PAGE_TARGET_MS} ms`,
  };

  async function opened(link: Link): Promise<number> {
    const began = performance.now();
    const answer = await menu.visit(link, visitor);
    if (!('show' in answer)) throw new Error(`${link.pattern} showed nothing`);
    const html = toHtml(answer.show.text);
    const ms = performance.now() - began;
    if (html.length === 0) throw new Error(`${link.pattern} is empty`);
    return ms;
  }
}
