import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ArticleOffer } from '../../machines/fragments/article-order.ts';
import type { ArticlePreview } from '../../machines/fragments/article-ports.ts';
import type { KeywordSearch, KeywordsFound } from '../../machines/fragments/keyword-questions.ts';
import { route } from '../../src/menu/create-menu.ts';
import { type Link, to } from '../../src/screens/kit/link.ts';
import { button, rich } from '../../src/screens/kit/screen.ts';
import { openStage, pressOf, type Stage } from './stage.ts';

/**
 * Law 13: a button that was shown once does what its screen said, or nothing. Everything that was ever shown is
 * pressed in any order, among texts, commands and services that fail.
 */

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_118);

/** Every category, draft and price is another number, so that none passes for another. */
const priceOf = (cid: number) => cid + 2;
const offerOf = (cid: number): ArticleOffer => ({
  categoryId: cid,
  categoryName: `Категория ${cid}`,
  projectId: 5,
  projectName: 'Ромашка',
  connectionId: 3,
  site: `site-${cid}.ru`,
  phrase: `фраза ${cid}`,
  volume: null,
  clusters: 0,
  images: 0,
  text: 100 + cid,
  pictures: 0,
  picturePrice: 30,
  balance: 1_500,
  isAdmin: false,
  reused: false,
});
const previewOf = (draftId: number, regenerations = 0): ArticlePreview => ({
  draftId,
  title: `Статья ${draftId}`,
  words: 1_800,
  images: 0,
  imagesWanted: 0,
  sections: 5,
  phrase: 'фраза',
  spent: 100,
  returned: 0,
  telegraphUrl: null,
  excerpt: 'Начало',
  regenerations,
  nextPrice: 0,
  warnings: [],
});
const found: KeywordsFound = {
  clusters: 1,
  phrases: 50,
  added: 50,
  source: 'data',
  grouping: 'model',
  market: null,
  spent: 50,
  returned: 0,
};

const ids = [1, 2, 3];
const doors = [
  ...ids.map((cid) => button(`Фразы ${cid}`, to('kw:{cid}:gen', { cid }))),
  ...ids.map((cid) => button(`Статья ${cid}`, to('category:{cid}:conn:{nid}:publish', { cid, nid: 3 }))),
  ...ids.map((n) => button(`Черновик ${n}`, to('draft:{n}:open', { n }))),
  ...ids.map((pid) =>
    button(`Город ${pid}`, to('project:{pid}:edit:{field}', { pid, field: 'company_city' })),
  ),
  button('Создать проект', to('project:create')),
];
const here = to('nav:dashboard');
const hall = { show: { text: rich`Куда?`, keyboard: doors.map((door) => [door]) } };
const routes = [
  ...(['nav:dashboard', 'nav:start', 'nav:welcome', 'kw:{cid}:found', 'category:{cid}:card'] as const).map(
    (pattern) => route(pattern, () => hall),
  ),
  route('category:{cid}:conn:{nid}:menu', () => hall),
  route('publication:{n}:result', () => hall),
  route('kw:{cid}:gen', ({ cid }) => ({
    start: {
      flow: 'KeywordGeneration',
      input: {
        categoryId: cid,
        categoryName: `Категория ${cid}`,
        city: 'Казань',
        pricePerPhrase: priceOf(cid),
        balance: 5_000,
        isAdmin: false,
      },
    },
    origin: here,
  })),
  route('category:{cid}:conn:{nid}:publish', ({ cid }) => ({
    start: { flow: 'ArticlePublish', input: { offer: offerOf(cid), preview: null } },
    origin: here,
  })),
  route('draft:{n}:open', ({ n }) => ({
    start: { flow: 'ArticlePublish', input: { offer: offerOf(n), preview: previewOf(n) } },
    origin: here,
  })),
];

type Deed =
  | { kind: 'button'; pick: number }
  | { kind: 'recent'; pick: number }
  | { kind: 'text'; text: string }
  | { kind: 'command'; name: 'start' | 'cancel' }
  | { kind: 'failure'; port: 'generateKeywords' | 'publishArticle' | 'regenerateArticle' | 'cancelDraft' };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('button' as const), pick: fc.nat() }) },
  { weight: 9, arbitrary: fc.record({ kind: fc.constant('recent' as const), pick: fc.nat(12) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('text' as const),
      text: fc.constantFrom('Розы и тюльпаны', 'Казань'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('command' as const),
      name: fc.constantFrom('start' as const, 'cancel' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('failure' as const),
      port: fc.constantFrom(
        'generateKeywords' as const,
        'publishArticle' as const,
        'regenerateArticle' as const,
        'cancelDraft' as const,
      ),
    }),
  },
);

/** A button, and what stood behind the screen that showed it. */
type Shown = {
  messageId: string;
  label: string;
  link: Link;
  run: string | null;
  context: Record<string, unknown>;
};
const failure = { code: 'TIMEOUT', userMessage: 'Сервис не отвечает.', retryable: true };

it('every button ever shown does what its screen said, or nothing', { timeout: 60_000 }, async () => {
  const done = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 10, maxLength: 60 }), async (deeds) => {
      const stage = openStage({ moreRoutes: routes });
      try {
        await play(stage, deeds, done);
      } finally {
        await stage.close();
      }
    }),
    { seed: SEED, numRuns: 200, interruptAfterTimeLimit: 20_000 },
  );
  // Without a single purchase the test would prove nothing.
  expect([...done.keys()].sort()).toEqual(
    expect.arrayContaining([
      'cancelDraft',
      'generateArticle',
      'generateKeywords',
      'publishArticle',
      'regenerateArticle',
      'takeHtml',
    ]),
  );
});

async function play(stage: Stage, deeds: Deed[], done: Map<string, number>): Promise<void> {
  const { ports } = stage;
  let drafts = 100;
  ports.generateKeywords.answersWith(() => found);
  ports.generateArticle.answersWith(() => previewOf(drafts++));
  ports.regenerateArticle.answersWith(({ draftId, key }: { draftId: number; key: string }) =>
    previewOf(draftId, Number(key.split(':').at(-1))),
  );
  ports.publishArticle.answersWith(() => ({ publicationId: 1, url: null, warnings: [] }));
  const anna = stage.person(stage.start());
  const buttons: Shown[] = [];
  let noted = 0;
  await anna.commands('start');
  await note();
  for (const each of deeds) {
    const before = callCounts();
    const pressed = await act(each);
    await note();
    for (const [name, port] of Object.entries(ports)) {
      for (const { input } of port.calls.slice(before.get(name))) {
        done.set(name, (done.get(name) ?? 0) + 1);
        if (pressed) expectSaid(name, input as Record<string, unknown>, pressed);
      }
    }
  }

  async function act(each: Deed): Promise<Shown | null> {
    if (each.kind === 'text') await anna.says(each.text);
    else if (each.kind === 'command') await anna.commands(each.name);
    else if (each.kind === 'failure') ports[each.port].failsOnce(failure);
    else {
      const lately = buttons.slice(-14);
      const from = each.kind === 'recent' ? lately : buttons;
      const pressed = from[each.pick % from.length]!;
      await anna.does(pressOf(pressed.link, pressed.messageId));
      return pressed;
    }
    return null;
  }

  /** What was shown since belongs to the session as it is now. */
  async function note(): Promise<void> {
    const { flow } = await stage.session();
    const { context = {} } = (flow?.snapshot ?? {}) as { context?: Record<string, unknown> };
    const fresh = stage.shows.slice(noted);
    noted = stage.shows.length;
    for (const { messageId, screen } of fresh)
      for (const each of screen.keyboard.flat())
        if ('link' in each)
          buttons.push({ messageId, label: each.label, link: each.link, run: flow?.run ?? null, context });
  }

  function callCounts(): Map<string, number> {
    return new Map(Object.entries(ports).map(([name, { calls }]) => [name, calls.length]));
  }
}

function expectSaid(name: string, input: Record<string, unknown>, { label, run, context }: Shown): void {
  const { preview, offer, keywords } = context as {
    preview?: ArticlePreview;
    offer?: ArticleOffer;
    keywords?: KeywordSearch;
  };
  const why = `«${label}» called ${name}`;
  switch (name) {
    case 'generateKeywords':
      expect(label, why).toMatch(/^(Подобрать|Повторить)$/u);
      expect(input, why).toMatchObject({
        categoryId: keywords?.offer?.categoryId,
        quantity: keywords?.quantity,
        products: keywords?.products,
        price: Number(keywords?.quantity) * priceOf(Number(keywords?.offer?.categoryId)),
      });
      expect(String(input.key).startsWith(`${run}:`), why).toBe(true);
      return;
    case 'generateArticle':
      expect(label, why).toBe('Создать статью');
      expect(input, why).toMatchObject({ offer });
      expect(String(input.key).startsWith(`${run}:generate`), why).toBe(true);
      return;
    case 'publishArticle':
      expect(label, why).toMatch(input.asDraft ? /^Сохранить черновиком/u : /^Опубликовать/u);
      expect(input, why).toMatchObject({ draftId: preview?.draftId, site: offer?.site });
      expect(input.key, why).toContain(`:${input.asDraft ? 'save' : 'publish'}:${preview?.regenerations}:`);
      return;
    case 'takeHtml':
      expect(label, why).toMatch(/скачать/iu);
      expect(input, why).toMatchObject({ draftId: preview?.draftId });
      return;
    case 'regenerateArticle':
      expect(label, why).toMatch(/^(Перегенерировать|Написать за )/u);
      expect(input, why).toMatchObject({ draftId: preview?.draftId });
      expect(String(input.key).startsWith(`${run}:`), why).toBe(true);
      return;
    case 'cancelDraft':
      expect(label, why).toBe('Отмена — вернуть токены');
      expect(input, why).toMatchObject({ draftId: preview?.draftId });
      return;
    case 'saveProjectField':
      expect(label, why).toMatch(/^(Очистить|Повторить)$/u);
      expect(input, why).toMatchObject({ projectId: context.projectId, field: context.field });
      return;
    case 'saveProject':
      expect(label, why).toMatch(/^(Пропустить|Повторить)$/u);
      expect(input, why).toMatchObject({ name: (context.answers as { name: string }).name });
      return;
    default:
      throw new Error(why);
  }
}
