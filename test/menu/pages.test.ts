import { describe, expect, it } from 'vitest';
import { projectFieldRules, projectFields } from '../../machines/project-fields.ts';
import type { RouteAnswer, Visitor } from '../../src/engine/menu.ts';
import { encodeLink } from '../../src/messengers/telegram/callback-data.ts';
import { toHtml, visibleLength } from '../../src/messengers/telegram/to-html.ts';
import type { Link, LinkParams } from '../../src/screens/kit/link.ts';
import type { Screen } from '../../src/screens/kit/screen.ts';
import { categoryCardScreen } from '../../src/screens/pages/categories.ts';
import { helpTopics } from '../../src/screens/pages/help.ts';
import { aSite } from './played-connections.ts';
import { aCluster, aPhrase, playedKeywords, someClusters } from './played-keywords.ts';
import {
  aCategory,
  aConnection,
  allPatterns,
  aProject,
  CATEGORY,
  type Changes,
  CONNECTION,
  OWNER,
  PROJECT,
  playedMenu,
  STRANGER,
  type someValues,
} from './played-menu.ts';
import { aPlace, aSchedule, NOW } from './played-schedules.ts';

const visitor = { userId: OWNER, firstName: 'Анна', isAdmin: false };

const manyProjects = Array.from({ length: 30 }, (_, index) => ({
  id: index + 1,
  name: `Проект ${index + 1}`,
}));

const manyClusters = Array.from({ length: 30 }, (_, cluster) =>
  aCluster(
    `${cluster} ${'<&Ж>'.repeat(24)}`,
    Array.from({ length: 20 }, (_, i) => aPhrase(`${cluster}-${i} ${'<&Ж>'.repeat(22)}`)),
  ),
);
const firstCluster = (await playedKeywords(someClusters, () => true).phrases(OWNER, CATEGORY))!.groups[0]!;

const noFiling = { rubrics: [], tags: [], robots: null, schemaType: null };
const longestTerms = Array.from({ length: 10 }, (_, index) => ({
  id: 2_147_483_647 - index,
  name: '<&Ж>'.repeat(50),
  chosen: true,
}));
const longestNames = {
  rubrics: longestTerms.map(({ name }) => name),
  tags: longestTerms.map(({ name }) => name),
};

const aHomelessDraft = {
  draftId: 41,
  title: 'Букет невесты <и платье>',
  projectId: PROJECT,
  categoryId: CATEGORY,
  sites: [],
  mayBeOn: [],
  refund: 290,
};

const aPublishedPost = {
  projectId: PROJECT,
  keyword: null,
  id: 3,
  categoryId: CATEGORY,
  connectionId: CONNECTION,
  contentType: 'social_post',
  site: '<@romashka>',
  url: 'https://t.me/romashka/7',
  words: 120,
  tokens: 40,
  balance: 1_460,
  usualCost: null,
  lacksSeoPlugin: false,
};

/** Every situation that changes what pages look like. */
const situations: Record<string, Changes> = {
  'as usual': {},
  'with nothing yet': {
    dashboard: { projects: 0 },
    projects: { list: async () => [] },
    categories: { list: async () => ({ projectName: 'Ромашка', categories: [] }) },
    keywords: [],
    material: { description: '', prices: '', reviews: [] },
    connections: {
      sites: [],
      settings: { ...noFiling, identifier: 'romashka.ru', seoPlugin: null, indexing: false },
      terms: { identifier: 'romashka.ru', terms: { items: [], page: 1, pages: 1, count: 0 }, lost: [] },
    },
  },
  'with more than fit on a page': {
    projects: {
      list: async () => manyProjects,
      stats: async () =>
        manyProjects.map((project) => ({
          ...project,
          publications: 1,
          publicationsLast30Days: 1,
          tokensSpent: 1,
          activeSchedules: 1,
        })),
    },
    categories: { list: async () => ({ projectName: 'Ромашка', categories: manyProjects }) },
    keywords: manyClusters,
    connections: {
      sites: manyProjects.map(({ id }) => ({ ...aSite, id })),
      terms: {
        identifier: 'romashka.ru',
        terms: { items: longestTerms.slice(0, 8), page: 2, pages: 90, count: 720 },
        lost: longestTerms,
      },
    },
  },
  'with phrases in no cluster, and nothing known of them': {
    keywords: Array.from({ length: 30 }, (_, i) => aPhrase(`букет ${i}`, null)),
  },
  'with nothing left': { dashboard: { balance: 0 } },
  'in debt': { dashboard: { balance: -500 } },
  'with little left': { dashboard: { balance: 100 } },
  'with several sites, one of them broken (E28)': {
    publishing: {
      connections: async () => [
        aConnection,
        { ...aConnection, id: 4, identifier: 'blog.ru', status: 'error' },
      ],
      offerArticle: async () => ({ blocked: 'no-article-phrases' }),
    },
  },
  'with a draft whose site is gone': {
    publishing: {
      openDraft: async () => ({ homeless: aHomelessDraft }),
    },
    connections: { sites: [{ ...aSite, homelessDraft: { id: 41, title: 'Букет невесты <и платье>' } }] },
  },
  'with a draft whose site is gone, and others to choose from': {
    publishing: {
      openDraft: async () => ({
        homeless: {
          ...aHomelessDraft,
          sites: [{ id: 4, identifier: 'blog.ru' }],
          mayBeOn: ['romashka.ru'],
        },
      }),
    },
  },
  'with several channels, and a post that waits for one that is gone': {
    publishing: {
      connections: async () => [{ ...aConnection, platform: 'telegram', metadata: { title: '<@romashka>' } }],
      waitingPost: async () => ({ id: 42, title: 'Букет невесты <и платье>' }),
      offerPost: async () => ({ blocked: 'no-phrases' }),
      publication: async () => aPublishedPost,
    },
    posts: {
      connections: async () => [
        { ...aConnection, platform: 'telegram', metadata: { title: '<@romashka>' } },
        { ...aConnection, id: 4, platform: 'vk', identifier: '77', status: 'error' },
      ],
      channel: async () => ({
        channel: { id: CONNECTION, projectId: PROJECT, name: '<@romashka>' },
        categories: [
          { id: CATEGORY, name: 'Букеты' },
          { id: 10, name: 'Горшки <и земля>' },
        ],
      }),
      otherPlaces: async () => ({
        ...{ draftId: 42, phrase: 'букет <невесты>', projectId: PROJECT, categoryId: CATEGORY },
        ...{ platform: 'telegram', place: '<@romashka>', others: [{ id: 8, name: '<@vasilek>' }] },
      }),
      movePost: async () => '<@vasilek>',
      openPost: async () => ({
        homeless: { draftId: 42, place: '<@romashka>', projectId: PROJECT, categoryId: CATEGORY },
      }),
    },
  },
  'with a channel, and nothing to write about': {
    posts: {
      channel: async () => ({
        channel: { id: CONNECTION, projectId: PROJECT, name: '@romashka' },
        categories: [],
      }),
    },
  },
  'with a broken site': {
    publishing: {
      connections: async () => [{ ...aConnection, status: 'error' }],
      waitingDraft: async () => ({ id: 41, title: 'Букет невесты <и платье>' }),
    },
    connections: {
      sites: [{ ...aSite, status: 'error', lastError: 'Пароль не подошёл.', links: null, colors: null }],
      terms: { identifier: 'romashka.ru', failure: 'Сайт не отвечает.' },
    },
  },
  'with a project to go on with': {},
  'with every field as long as it may be': {
    material: {
      description: '<&Ж>'.repeat(500),
      categoryName: '<&Ж>'.repeat(25),
      prices: Array.from({ length: 1_000 }, () => `${'<&Ж>'.repeat(50)} — 5 000 ₽ — ${'Ж'.repeat(300)}`).join(
        '\n',
      ),
    },
    projects: {
      card: async () => ({
        ...aProject,
        values: longest(),
        connections: Array.from({ length: 20 }, connection),
      }),
      fields: async () => ({ values: longest(), timezone: 'Asia/Kamchatka' }),
    },
    connections: {
      sites: manyProjects.map(({ id }) => ({
        ...aSite,
        id,
        identifier: `${'я'.repeat(490)}.рф`,
        settings: { ...noFiling, ...longestNames },
      })),
      settings: {
        ...noFiling,
        ...longestNames,
        identifier: `${'я'.repeat(490)}.рф`,
        seoPlugin: null,
        indexing: true,
      },
    },
  },
};

const samples: LinkParams[] = [
  {
    pid: PROJECT,
    cid: CATEGORY,
    nid: CONNECTION,
    n: 1,
    i: 0,
    k: 0,
    h: firstCluster.mark,
    run: '0b2c5e1c-31f7-4d6e-8f0e-6b1d7f0c2a11',
    field: 'name',
    topic: 'project',
    plt: 'wordpress',
    g: 'd',
    audience: 'all',
    key: 'ts',
    kind: 'tariff',
    f: 'all',
    what: 'news',
    pkg: 'starter',
    plan: 'pro',
    who: '8000000001',
  },
  {
    pid: PROJECT,
    cid: CATEGORY,
    nid: CONNECTION,
    n: 2,
    i: 10,
    k: 1,
    h: 'abcd',
    run: 'gone',
    field: 'description',
    topic: 'category',
    plt: 'vk',
    g: 'telegram',
    audience: 'nobody',
    key: 'tw',
    kind: 'sub',
    f: 'refund',
    what: 'nothing',
    pkg: 'no-such',
    plan: 'mini',
    who: '42',
  },
];

const aParkedWizard = {
  flow: 'ProjectCreate',
  run: 'r1',
  state: 'company_name',
  context: { answers: { name: '<&Ж>'.repeat(25) } },
  parkedAt: 0,
};

/** Every page of the menu, in every situation, and the routes that began a dialogue in one of them. */
async function visitAll() {
  const pages: { where: string; screen: Screen }[] = [];
  const starts = new Set<string>();
  for (const [situation, changes] of Object.entries(situations)) {
    const menu = playedMenu(changes);
    const parked: Visitor['parked'] =
      situation === 'with a project to go on with' ? { project: aParkedWizard } : {};
    for (const pattern of menu.patterns) {
      for (const params of samples) {
        const answer = await menu.visit(
          { pattern, params },
          {
            ...{ ...visitor, parked },
            isAdmin: pattern.startsWith('admin:'),
          },
        );
        if ('show' in answer) pages.push({ where: `${pattern} ${situation}`, screen: answer.show });
        if ('start' in answer) starts.add(pattern);
      }
    }
  }
  return { pages, starts };
}

const { pages: all, starts } = await visitAll();
const linksOf = ({ keyboard }: Screen): Link[] =>
  keyboard.flat().flatMap((each) => ('link' in each ? [each.link] : []));

describe('every page', () => {
  it('is among those looked at here', () => {
    const shown = new Set(all.map(({ where }) => where.split(' ', 1)[0]));
    const shownElsewhere = [
      'noop',
      'pc:pause',
      'pc:resume',
      'publication:{n}:rewrite',
      'publication:{n}:refresh',
      'pipeline:resume',
      'project:{pid}:branding:{key}', // its key is that of a colour
      'media:{cid}:rm:{k}:{h}', // its mark is that of a photo
      'draft:{n}:arrived',
      'plan:{sid}:{n}', // its number is that of a slot: walked in test/e2e/schedules.test.ts
      'flow:again',
      'admin:costs:{n}', // 7, 30 or 90 days
      'admin:plot:{n}', // likewise
    ];
    const menu = playedMenu();
    const unseen = menu.patterns.filter(
      (pattern) =>
        !shown.has(pattern) &&
        !starts.has(pattern) &&
        !shownElsewhere.includes(pattern) &&
        !menu.acts(pattern) &&
        !/^trainer:resume:/u.test(pattern),
    );
    expect(unseen).toEqual([]);
  });

  it('has something to say', () => {
    expect(all.filter(({ screen }) => toHtml(screen.text).trim() === '').map(({ where }) => where)).toEqual(
      [],
    );
  });

  it('has a way out that is already there', () => {
    const known = new Set(allPatterns());
    const deadEnds = all.filter(({ screen }) => !linksOf(screen).some(({ pattern }) => known.has(pattern)));
    expect(deadEnds.map(({ where }) => where)).toEqual([]);
  });

  it('has at most one button of each style, and none of style primary beside one that spends or creates', () => {
    const loud = all.filter(({ screen }) => {
      const styles = screen.keyboard.flat().flatMap(({ style }) => style ?? []);
      return (
        new Set(styles).size < styles.length || (styles.includes('success') && styles.includes('primary'))
      );
    });
    expect(loud.map(({ where }) => where)).toEqual([]);
  });

  it('leads only where a door is', () => {
    const known = new Set(allPatterns());
    const lost = all.flatMap(({ where, screen }) =>
      linksOf(screen).flatMap(({ pattern }) => (known.has(pattern) ? [] : [`${where} → ${pattern}`])),
    );
    expect(lost).toEqual([]);
  });

  it('has buttons that fit on the wire and into Telegram’s rows', () => {
    for (const { where, screen } of all) {
      for (const link of linksOf(screen)) expect(() => encodeLink(link), where).not.toThrow();
      expect(screen.keyboard.flat().length, where).toBeLessThanOrEqual(100);
      for (const row of screen.keyboard) {
        expect(row.length, where).toBeGreaterThan(0);
        // Numbers may stand side by side as far as a phone has room.
        const isShort = row.every(({ label }) => [...label].length <= 4);
        expect(row.length, where).toBeLessThanOrEqual(isShort ? 6 : 3);
        for (const { label } of row) expect(label.trim(), where).not.toBe('');
      }
    }
  });

  it('is not cut, however much the person has written', () => {
    for (const { where, screen } of all) {
      expect(visibleLength(toHtml(screen.text, Number.POSITIVE_INFINITY)), where).toBeLessThanOrEqual(4096);
    }
  });
});

const missingFor = async (link: Link, userId: number): Promise<RouteAnswer> =>
  playedMenu().visit(link, { ...visitor, userId });

describe('what is missing, or somebody else’s', () => {
  // A draft has an owner of its own, and leads to the menu.
  const patterns = playedMenu().patterns.filter(
    (pattern) => /\{(?:pid|cid|nid)\}/u.test(pattern) && !pattern.startsWith('draft:'),
  );
  const params = samples[0]!;

  it.each(patterns)('%s leads a stranger to the nearest list', async (pattern) => {
    expect(await missingFor({ pattern, params }, STRANGER)).toEqual({
      missing: true,
      nearest: { pattern: 'nav:projects', params: {} },
    });
  });

  it.each(patterns)('%s leads the owner there too when it is gone', async (pattern) => {
    const gone = { ...params, pid: 404, cid: 404, nid: 404 };
    expect(await missingFor({ pattern, params: gone }, OWNER)).toMatchObject({ missing: true });
  });

  it('a field, a zone or a topic that there is none of is not found', async () => {
    const odd: Link[] = [
      { pattern: 'project:{pid}:edit:{field}', params: { ...params, field: 'password' } },
      { pattern: 'project:{pid}:edit:{field}', params: { ...params, field: 'constructor' } },
      { pattern: 'project:{pid}:tz:{i}', params: { ...params, i: 11 } },
      { pattern: 'conn:{nid}:wp:schema:{i}', params: { ...params, i: 3 } },
      { pattern: 'conn:{nid}:wp:robots:{i}', params: { ...params, i: 2 } },
      { pattern: 'project:{pid}:conn_failed:{plt}', params: { ...params, plt: 'fax' } },
      { pattern: 'help:{topic}', params: { topic: 'constructor' } },
      { pattern: 'help:{topic}', params: { topic: 'toString' } },
      { pattern: 'help:{topic}', params: { topic: '__proto__' } },
      { pattern: 'help:{topic}', params: { topic: 'astrology' } },
    ];
    for (const link of odd)
      expect(await missingFor(link, OWNER), link.pattern).toMatchObject({ missing: true });
  });

  it('a stranger deletes nothing and changes nothing', async () => {
    const deeds: string[] = [];
    const menu = playedMenu({
      projects: {
        remove: async (userId) => {
          deeds.push(`project by ${userId}`);
          return null;
        },
      },
      categories: {
        remove: async (userId) => {
          deeds.push(`category by ${userId}`);
          return null;
        },
      },
    });
    for (const pattern of ['project:{pid}:delete:confirm:{h}', 'category:{cid}:delete:confirm:{h}']) {
      expect(await menu.visit({ pattern, params }, { ...visitor, userId: STRANGER })).toMatchObject({
        missing: true,
      });
    }
    expect(deeds).toEqual([]);
  });
});

it('a category card tells only of what there is a page for', async () => {
  const card = await playedMenu().visit(
    { pattern: 'category:{cid}:card', params: { cid: CATEGORY } },
    visitor,
  );
  const text = 'show' in card ? toHtml(card.show.text) : '';
  expect(text).toContain('Фразы: 40 фраз в 2 кластерах');
  expect(toHtml(categoryCardScreen(aCategory, () => false).text)).not.toMatch(/Описание|Цены|Отзывы|Фото/u);
  expect(toHtml(categoryCardScreen(aCategory, () => true).text)).toMatch(
    /Описание: есть\nЦены: нет\nОтзывы: нет\nФото: 4/u,
  );
});

it('a category card tells what is planned, what it costs, and how articles are illustrated', async () => {
  const text = await textOf('category:{cid}:card', { cid: CATEGORY });
  expect(text).toContain('Картинки в статье: 4, стиль — ');
  expect(text).toContain('• WordPress romashka.ru: Пн, Ср, Пт в 10:00; следующая пт, 20 ноября, в 10:00');
  expect(text).toContain('Расход: до 960 токенов в неделю, до 4\u2009114 в месяц.');
});

it('a project card tells what comes out next by itself, and nothing where nothing is planned', async () => {
  expect(await textOf('project:{pid}:card', { pid: PROJECT })).toContain(
    'Ближайшая публикация: пт, 20 ноября, в 10:00 — «Свадебные букеты» → WordPress romashka.ru',
  );
  const off = { ...aPlace, schedule: { ...aSchedule, isOn: false, next: null } };
  const menu = playedMenu({ projects: { plans: async () => ({ places: [off], now: NOW }) } });
  expect(await textOf('project:{pid}:card', { pid: PROJECT }, menu)).not.toContain('Ближайшая публикация');
});

async function textOf(pattern: string, params: Record<string, number>, menu = playedMenu()): Promise<string> {
  const page = await menu.visit({ pattern, params }, visitor);
  return 'show' in page ? toHtml(page.show.text) : '';
}

it('an article that waits for a site is not offered to a channel', async () => {
  const menu = playedMenu({
    publishing: {
      connections: async () => [{ ...aConnection, platform: 'telegram' }],
      waitingDraft: async () => ({ id: 41, title: 'Букет невесты' }),
    },
  });
  const params = { cid: CATEGORY, nid: CONNECTION };
  const answer = await menu.visit({ pattern: 'category:{cid}:conn:{nid}:menu', params }, visitor);
  expect('show' in answer && toHtml(answer.show.text)).not.toContain('Букет невесты');
});

describe('a press in a list of rubrics or tags', () => {
  const press = (kind: string, n: number, marks: string[] = []) =>
    playedMenu({ connections: { marks } }).visit(
      { pattern: `conn:{nid}:wp:${kind}`, params: { nid: CONNECTION, n, k: 3 } },
      visitor,
    );

  it('leads back to the page it came from', async () => {
    expect(await press('cats:{n}:{k}:on', 1)).toEqual({
      open: { pattern: 'page:wpcats:{nid}:{n}', params: { nid: CONNECTION, n: 3 } },
    });
  });

  it('on what is gone from the site says so', async () => {
    const answer = await press('tags:{n}:{k}:on', 8);
    const notice = 'notice' in answer && answer.notice ? toHtml(answer.notice) : '';
    expect(notice).toBe('Этой метки на сайте больше нет, список обновлён.');
  });

  it('does what the button has shown, and again does nothing else', async () => {
    const answer = await press('cats', 1);
    const marks: string[] = [];
    const menu = playedMenu({ connections: { marks } });
    const terms = 'show' in answer ? linksOf(answer.show).filter(({ params }) => params.k) : [];
    for (const link of [...terms, ...terms]) await menu.visit(link, visitor);
    expect(marks).toEqual(['1 off', '8 on', '1 off', '8 on']);
  });

  it.each([
    ['nothing that can be seen', ' \u200b\u202e\u200f', '✓ Без названия'],
    ['a mark that turns the text around', '\u202eСоветы', '✓ Советы'],
    ['a picture alone', '🌷', '✓ 🌷'],
  ])('is on a name, also where the site has given %s', async (_, name, label) => {
    const terms = { items: [{ id: 1, name, chosen: true }], page: 1, pages: 1, count: 1 };
    const menu = playedMenu({ connections: { terms: { identifier: 'romashka.ru', terms, lost: [] } } });
    const answer = await menu.visit({ pattern: 'conn:{nid}:wp:cats', params: { nid: CONNECTION } }, visitor);
    expect('show' in answer && answer.show.keyboard[0]![0]!.label).toBe(label);
  });

  it('on a button that does not say what it leads to shows the list, and changes nothing', async () => {
    const marks: string[] = [];
    const answer = await press('cats:{n}:{k}', 1, marks);
    expect(answer).toMatchObject({ toast: 'Эта кнопка уже не действует' });
    expect('show' in answer && toHtml(answer.show.text)).toContain('Отметьте, куда складывать статьи');
    expect(marks).toEqual([]);
  });
});

describe('the ways in', () => {
  it('a label of the reply keyboard leads to its page, once the page is there', () => {
    const menu = playedMenu();
    expect(menu.linkOf('Меню', visitor)).toEqual({ pattern: 'nav:dashboard', params: {} });
    expect(menu.linkOf('Написать статью', visitor)?.pattern).toBe('pipeline:article:start');
    expect(menu.linkOf('Опубликовать пост', visitor)?.pattern).toBe('pipeline:social:start');
    expect(menu.linkOf('меню', visitor)).toBeUndefined();
    expect(menu.linkOf('constructor', visitor)).toBeUndefined();
  });

  it('the administrator’s label is nothing to others', () => {
    expect(playedMenu().linkOf('АДМИНКА', visitor)).toBeUndefined();
  });

  it('an invitation is noted, anything else in the link is passed over', async () => {
    const menu = playedMenu();
    let noted: unknown[] = [];
    for (const payload of [
      'ref_42',
      'ref_',
      'ref_-1',
      'ref_1e3',
      'ref_9999999999999999',
      'REF_5',
      'x ref_5',
    ]) {
      const link = await menu.start(payload, visitor, false);
      expect(menu.inviters, 'nothing is noted before the decision is stored').toEqual(noted);
      expect(menu.acts(link.pattern)).toBe(true);
      expect(await menu.visit(link, visitor)).toMatchObject({ open: { pattern: 'nav:start' } });
      noted = [[OWNER, 42]];
    }
    expect(menu.inviters).toEqual([[OWNER, 42]]);
    const welcome = await menu.start('', visitor, true);
    expect(await menu.visit(welcome, visitor)).toMatchObject({ open: { pattern: 'nav:welcome' } });
  });

  it('help offers a page on every topic, and each ends with an action', async () => {
    const menu = playedMenu();
    const help = await menu.visit({ pattern: 'nav:help', params: {} }, visitor);
    const offered = 'show' in help ? linksOf(help.show).flatMap(({ params }) => params.topic ?? []) : [];
    expect(offered).toEqual([...helpTopics]);
    for (const topic of helpTopics) {
      const answer = await menu.visit({ pattern: 'help:{topic}', params: { topic } }, visitor);
      expect('show' in answer && answer.show.keyboard[0]?.[0]?.style, topic).toMatch(/primary|success/u);
    }
  });
});

function longest() {
  const values = projectFields.map((field) => [field, '<&Ж>'.repeat(projectFieldRules[field].max / 4)]);
  return Object.fromEntries(values) as typeof someValues;
}

function connection(_: unknown, id: number) {
  return { id, platform: 'telegram', identifier: '@'.padEnd(60, 'x'), status: 'error' };
}
