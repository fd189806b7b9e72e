import { setTimeout as delay } from 'node:timers/promises';
import { at, type Ground, prepared, SECRET, TARGET_MS } from './busy-bot.ts';
import { openLine, pressed, said, type Update } from './load.ts';
import { median, type Outcome, spread } from './outcome.ts';
import { scheduled } from './processor-time.ts';

const PEOPLE = 100;
const WARM_UP_ROUNDS = 5;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 25);
const MOST_TIMES = 1.3;
const ACTIVE = 200;
const ACTIVE_MS = 20_000;
/** Everybody's next step comes so long after the one before. */
const STEP_EVERY_MS = 2_000;
/** Strangers to the bot: both ways ask them the same questions. */
const FIRST_ID = 95_001;

/** The same three answers, in the wizard with its four questions and in the pipeline of 28 states that begins with them. */
const ways = { pipeline: 'pipeline:social:start', wizard: 'project:create' } as const;
const answers = ['Цветы на Ленина', 'ООО «Ромашка»', 'Доставка букетов и оформление свадеб'];

type Way = keyof typeof ways;

/** What a step costs in the largest machine, and how long people wait for theirs when many are in it. */
export async function pipelineButton(): Promise<Outcome[]> {
  const closing: (() => unknown)[] = [];
  try {
    const ground = await prepared(closing, 0);
    const ids = Array.from({ length: ACTIVE }, (_, n) => FIRST_ID + n);
    await everybody(ids, (id) => post(ground, said(id, '/start')));
    const costs: Record<Way, number[]> = { pipeline: [], wizard: [] };
    for (let n = 0; n < WARM_UP_ROUNDS + ROUNDS; n += 1) {
      // The order alternates from round to round.
      for (const way of (n % 2 === 0 ? ['pipeline', 'wizard'] : ['wizard', 'pipeline']) as Way[]) {
        const micros = await round(ground, ids.slice(0, PEOPLE), way);
        if (n >= WARM_UP_ROUNDS) costs[way].push(micros);
      }
    }
    return [costOf(costs), await waitOf(ground, ids)];
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** Processor time of one answer, in microseconds. */
async function round(ground: Ground, ids: readonly number[], way: Way): Promise<number> {
  await everybody(ids, (id) => post(ground, pressed(id, ways[way])));
  const before = scheduled(ground.bot.pid).worked;
  for (const answer of answers) await everybody(ids, (id) => post(ground, said(id, answer)));
  const worked = scheduled(ground.bot.pid).worked - before;
  await everybody(ids, (id) => post(ground, said(id, '/cancel')));
  return (worked / (ids.length * answers.length)) * 1_000;
}

function costOf({ pipeline, wizard }: Record<Way, number[]>): Outcome {
  // Round by round: the machine's speed changes by the minute, and both have the same minute.
  const ratio = median(pipeline.map((micros, n) => micros / wizard[n]!));
  return {
    case: 'pipeline-button',
    ours: Math.round(median(pipeline)),
    peer: Math.round(median(wizard)),
    ratio,
    unit: 'µs of processor time',
    notes:
      `a step in the social pipeline, beside the same step in the project wizard; ${PEOPLE} people at once, three answers ` +
      `each, ${ROUNDS} rounds behind ${WARM_UP_ROUNDS} that warm up, alternating, medians, the ratio that of each pair of ` +
      `rounds; the bot's first thread; spread pipeline ${spread(pipeline)}, wizard ${spread(wizard)}; target at most ${MOST_TIMES}`,
  };
}

async function waitOf(ground: Ground, ids: readonly number[]): Promise<Outcome> {
  const times: number[] = [];
  const fed: number[] = [];
  const until = performance.now() + ACTIVE_MS;
  await everybody(ids, async (id) => {
    await delay(((id - FIRST_ID) / ids.length) * STEP_EVERY_MS);
    for (let n = 0; performance.now() < until; n += 1) {
      const steps = [
        pressed(id, ways.pipeline),
        ...answers.map((answer) => said(id, answer)),
        said(id, '/cancel'),
      ];
      const [began, before] = [performance.now(), scheduled(ground.bot.pid).starved];
      await post(ground, steps[n % steps.length]!);
      const time = performance.now() - began;
      times.push(time);
      fed.push(Math.max(0, time - (scheduled(ground.bot.pid).starved - before)));
      await delay(Math.max(0, STEP_EVERY_MS - time));
    }
  });
  const told = (values: number[]) =>
    `p50 ${at(values, 0.5).toFixed(0)}, p99 ${at(values, 0.99).toFixed(0)}, longest ${at(values, 1).toFixed(0)} ms`;
  return {
    case: 'pipeline-button',
    ours: Number(at(times, 0.99).toFixed(1)),
    peer: null,
    ratio: null,
    unit: 'ms from a step to its screen, p99',
    notes:
      `${times.length} steps of ${ACTIVE} people in the social pipeline, each one every ${STEP_EVERY_MS / 1000} s for ` +
      `${ACTIVE_MS / 1000} s: ${told(times)} (while the bot had a processor: ${told(fed)}); target below ${TARGET_MS} ms`,
  };
}

async function everybody(ids: readonly number[], act: (id: number) => Promise<void>): Promise<void> {
  await Promise.all(ids.map(act));
}

/** On a line of its own: the bot closes those on which nothing is said for long. */
async function post({ port }: Ground, update: Update): Promise<void> {
  const line = await openLine(port, SECRET);
  await line.post(update);
  line.close();
}
