import { expect, it } from 'vitest';
import { type EventFrom, getInitialSnapshot, getNextSnapshot, type SnapshotFrom } from 'xstate';
import {
  keywordSearchGathered,
  keywordGenerationMachine as machine,
} from '../../machines/keyword-generation.ts';

type Event = EventFrom<typeof machine>;
type Snapshot = SnapshotFrom<typeof machine>;

const typed = (text: string): Event => ({ type: 'text.received', text });
const answers: Event[] = [typed('окна'), typed('Казань'), { type: 'quantity.chosen', quantity: 100 }];
const agreed: Event[] = [...answers, { type: 'cost.accepted' }];
const failed = (error: unknown) =>
  ({ type: 'xstate.error.actor.generateKeywords', actorId: 'generateKeywords', error }) as unknown as Event;

it.each([
  ['ок', 'products'],
  ['окн', 'geography'],
  ['   о   к   ', 'geography'],
  ['о'.repeat(1_000), 'geography'],
  ['о'.repeat(1_001), 'products'],
  ['🌷🌷🌷', 'products'],
])('takes for goods what has 3 to 1000 characters and a word in it: %j', (text, state) => {
  expect(after(typed(text)).value).toBe(state);
});

it('keeps a list of goods a list', () => {
  const { context } = after(typed(' окна  пвх \r\n\n двери '));
  expect(context.keywords.products).toBe('окна пвх\nдвери');
});

it.each([
  ['К', 'geography'],
  ['К'.repeat(200), 'quantity'],
  ['К'.repeat(201), 'geography'],
])('takes for a place what has 2 to 200 characters', (text, state) => {
  expect(after(typed('окна'), typed(text)).value).toBe(state);
});

it.each([49, 51, 0, 1_000])('offers no %i phrases', (quantity) => {
  expect(after(typed('окна'), typed('Казань'), { type: 'quantity.chosen', quantity }).value).toBe('quantity');
});

it('asks for the same work under the same key in each of its three states', () => {
  const stages = ['clustering', 'enriching'].map((stage): Event => ({ type: 'progress.made', stage }));
  const asked = [after(...agreed), after(...agreed, stages[0]!), after(...agreed, ...stages)];
  expect(asked.map(({ value }) => value)).toEqual(['fetching', 'clustering', 'enriching']);
  expect(new Set(asked.map((snapshot) => JSON.stringify(requestOf(snapshot)))).size).toBe(1);
});

it('follows the work when a stage went by unheard, and never goes back', () => {
  const enriching = after(...agreed, { type: 'progress.made', stage: 'enriching' });
  expect(enriching.value).toBe('enriching');
  expect(enriching.can({ type: 'progress.made', stage: 'fetching' })).toBe(false);
});

it.each(['OUT_OF_TOKENS', 'RATE_LIMIT'])(
  'comes back to the price when the charge was refused: %s',
  (code) => {
    const { value, context } = after(...agreed, failed({ code }));
    expect(value).toBe('confirm');
    expect(context.failure).toMatchObject({ code });
  },
);

it('knows no refusal once the work has begun: the charge comes before everything else', () => {
  const clustering: Event = { type: 'progress.made', stage: 'clustering' };
  expect(after(...agreed, clustering, failed({ code: 'OUT_OF_TOKENS' })).value).toBe('failed');
});

it('tries again under a new key: under the old one the failure is remembered', () => {
  const first = after(...agreed);
  const again = after(...agreed, failed({ code: 'AI_GENERATION' }), { type: 'cost.accepted' });
  expect(requestOf(again)).toEqual({
    ...requestOf(first),
    key: expect.not.stringMatching(requestOf(first).key),
  });
});

it('lets the answers be changed one by one', () => {
  const reopened: Event[] = [...answers, { type: 'answers.reopened' }, { type: 'answer.kept' }];
  const { context } = after(...reopened, typed('Москва'), { type: 'quantity.chosen', quantity: 50 });
  expect(context.keywords).toMatchObject({ products: 'окна', geography: 'Москва', quantity: 50 });
});

it('keeps no answer that was never given', () => {
  expect(after().can({ type: 'answer.kept' })).toBe(false);
  expect(after(typed('окна')).can({ type: 'answer.kept' })).toBe(false);
});

it('goes on with a search of version 2 under the key and the price that were agreed to', () => {
  const { keywords, ...shared } = after(...agreed).context;
  const { offer, stage: _, ...answered } = keywords;
  const old = { state: 'fetching', context: { ...shared, ...offer, ...answered } };
  expect(keywordSearchGathered(old)).toEqual({ state: 'fetching', context: after(...agreed).context });
});

function after(...events: Event[]): Snapshot {
  const input = {
    run: 'run-1',
    userId: 7,
    origin: '',
    categoryId: 9,
    categoryName: 'Окна',
    city: null,
    pricePerPhrase: 1,
    balance: 1_500,
    isAdmin: false,
  };
  return events.reduce<Snapshot>(
    (snapshot, event) => getNextSnapshot(machine, snapshot, event),
    getInitialSnapshot(machine, input),
  );
}

function requestOf(snapshot: Snapshot): { key: string } {
  const { children } = machine.getPersistedSnapshot(snapshot) as unknown as {
    children: { generateKeywords: { snapshot: { input: { key: string } } } };
  };
  return children.generateKeywords.snapshot.input;
}
