import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { AiFailed } from '../../../src/errors.ts';
import { makeResearchTopic } from '../../../src/services/article/research-topic.ts';
import { createMemoryKeyValueStore } from '../../../src/store/key-value-memory.ts';
import { fakeAsk, type Script } from '../ai/fake-ask.ts';
import { company } from './company.ts';

const research = { facts: [], trends: [], statistics: [], summary: 'Спрос растёт.' };
const input = { mainPhrase: 'кухни на заказ', company, userId: 7 };
let warnings: string[];
let now: number;
let cache: ReturnType<typeof createMemoryKeyValueStore>;

beforeEach(() => {
  warnings = [];
  now = Date.UTC(2026, 10, 16);
  cache = createMemoryKeyValueStore(() => now);
});

function researcher(script: Script) {
  const { ask, questions } = fakeAsk(script);
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) });
  return { find: makeResearchTopic({ ask, cache, log, clock: () => now }), questions };
}

describe('fresh facts', () => {
  it('are asked for with the phrase, the day and the place', async () => {
    const { find, questions } = researcher({ article_research: [research] });
    expect(await find(input)).toEqual(research);
    expect(questions[0]).toMatchObject({
      userId: 7,
      variables: { main_phrase: 'кухни на заказ', current_date: '2026-11-16', geography: 'Казань' },
    });
  });

  it('serve a week, and this company only', async () => {
    const { find, questions } = researcher({ article_research: [research, research, research] });
    await find(input);
    now += 6 * 86_400_000;
    await find(input);
    expect(questions).toHaveLength(1);
    await find({ ...input, company: { ...company, name: 'Другая' } });
    expect(questions).toHaveLength(2);
    now += 2 * 86_400_000;
    await find(input);
    expect(questions).toHaveLength(3);
  });

  it('are done without when the model fails, and asked for again next time (E53)', async () => {
    const { find } = researcher({ article_research: [new AiFailed('unavailable', 'down'), research] });
    expect(await find(input)).toBeNull();
    expect(warnings).toEqual(['research_skipped']);
    expect(await find(input)).toEqual(research);
  });

  it('end when their caller leaves', async () => {
    const { find } = researcher({ article_research: [research] });
    await expect(find({ ...input, signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow('left');
    expect(warnings).toEqual([]);
  });
});
