import { pino } from 'pino';
import sharp from 'sharp';
import { processPicture } from '../../src/services/pictures/process-picture.ts';
import { median, type Outcome, spread } from './outcome.ts';

const PICTURES = 4;
const ROUNDS = 7;
const [WIDTH, HEIGHT] = [1536, 1024];
const TARGET_MS = 1_500;

/** The pictures of one article, all at once: PNG as a model sends it in, enhanced WebP out. */
export async function pictures(): Promise<Outcome> {
  const log = pino({ level: 'silent' });
  const drawn = await Promise.all(Array.from({ length: PICTURES }, drawing));
  await processPicture(drawn[0]!, log);
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    const done = await Promise.all(drawn.map((bytes) => processPicture(bytes, log)));
    took.push(performance.now() - began);
    if (done.some(({ extension }) => extension !== 'webp')) throw new Error('a picture was not converted');
  }
  return {
    case: 'pictures',
    ours: Math.round(median(took)),
    peer: null,
    ratio: null,
    unit: 'ms',
    notes:
      `${PICTURES} pictures of ${WIDTH}×${HEIGHT} sharpened, enhanced and encoded together, median of ${ROUNDS}, ` +
      `${spread(took)} ms; target below ${TARGET_MS} ms`,
  };
}

/** Soft shapes under fine grain: what a photograph costs to encode, which plain noise or one colour does not. */
async function drawing(): Promise<Buffer> {
  const noise = (sigma: number) => ({ type: 'gaussian', mean: 128, sigma }) as const;
  const create = (width: number, height: number, sigma: number) =>
    sharp({ create: { width, height, channels: 3, background: '#888', noise: noise(sigma) } });
  const grain = await create(WIDTH, HEIGHT, 8).png().toBuffer();
  const shapes = await create(WIDTH / 8, HEIGHT / 8, 40)
    .png()
    .toBuffer();
  return sharp(shapes)
    .resize(WIDTH, HEIGHT, { kernel: 'cubic' })
    .composite([{ input: grain, blend: 'soft-light' }])
    .removeAlpha()
    .png()
    .toBuffer();
}
