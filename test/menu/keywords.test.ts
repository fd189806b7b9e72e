import { describe, expect, it } from 'vitest';
import type { RouteAnswer } from '../../src/engine/menu.ts';
import { toHtml } from '../../src/messengers/telegram/to-html.ts';
import { type Link, to } from '../../src/screens/kit/link.ts';
import { type Button, paragraphs, type Screen } from '../../src/screens/kit/screen.ts';
import type { Keywords } from '../../src/services/quality/choose-cluster.ts';
import { aCluster, aPhrase, someClusters } from './played-keywords.ts';
import { CATEGORY as cid, OWNER, playedMenu } from './played-menu.ts';

const visitor = { userId: OWNER, firstName: 'Анна', isAdmin: false };

describe('the phrases of a category', () => {
  it('ask for a first search while there are none', async () => {
    const { text, labels } = await look(browsing([]), list);
    expect(text).toContain('Фраз пока нет');
    expect(labels).toEqual(['Подобрать', 'Загрузить файл', 'К категории']);
  });

  it('show the three most searched clusters, mark the easy ones, and tell how many more there are', async () => {
    const many = [
      ...someClusters,
      aCluster('Арки', [aPhrase('арка')]),
      aCluster('Ленты', [aPhrase('лента')]),
    ];
    const { text } = await look(browsing(many as Keywords), list);
    expect(text).toContain('4 кластера (5 фраз)');
    expect(text).toContain('1. Букет невесты ★\n2 фразы · 1\u2009000 запросов в месяц · сложность 20');
    expect(text).toContain('2. Бутоньерки\n1 фраза');
    expect(text).toContain('И ещё 1 кластер.');
    expect(text).toContain('за пределами России');
  });

  it('show ten phrases of a list without clusters, and have no clusters to offer', async () => {
    const flat = Array.from({ length: 12 }, (_, i) => aPhrase(`фраза ${i}`, i));
    const { text, labels } = await look(browsing(flat), list);
    expect(text).toMatch(/12 фраз, без кластеров\n\n• фраза 11 — 11\/мес/);
    expect(text).toContain('И ещё 2.');
    expect(labels).toContain('Фразы');
    expect(labels).not.toContain('Кластеры');
  });

  it('come as a file', async () => {
    const answer = await browsing(someClusters).visit(to('kw:{cid}:csv', { cid }));
    expect(answer).toMatchObject({ show: { file: { name: 'keywords-9.csv' } } });
    const { content } = (answer as { show: Screen }).show.file!;
    expect(content).toMatch(/^\uFEFFКластер;/);
    expect(content).toContain('Бутоньерки;страница товара или услуги;бутоньерка жениха');
  });

  it('are sought by a dialogue that knows the category, the city, the price and the balance', async () => {
    expect(await browsing(someClusters).visit(to('kw:{cid}:gen', { cid }))).toEqual({
      start: {
        flow: 'KeywordGeneration',
        input: {
          categoryId: cid,
          categoryName: 'Свадебные букеты',
          city: 'Казань',
          pricePerPhrase: 1,
          balance: 1_500,
          isAdmin: false,
        },
      },
      origin: list,
    });
  });
});

describe('a cluster', () => {
  it('shows its phrases eight to a page, and says where nothing is known', async () => {
    const phrases = Array.from({ length: 9 }, (_, i) => aPhrase(`букет ${i}`, i === 8 ? null : 100 - i));
    const menu = browsing([aCluster('Букеты', phrases)]);
    await menu.presses(to('kw:{cid}:clusters', { cid }), /Букеты/);
    expect(menu.text()).toMatch(/Кластер для статей\n9 фраз · 772 запроса в месяц · сложность 20/);
    expect(menu.text()).toContain('Главная фраза: «букет 0»');
    expect(menu.text()).not.toContain('букет 8');
    await menu.press('▶');
    expect(menu.text()).toContain('• букет 8 — нет данных');
    expect(menu.text()).not.toContain('букет 7');
  });

  it('tells in which cities people search for it, and where more than elsewhere', async () => {
    const menu = browsing(someClusters);
    await menu.presses(to('kw:{cid}:clusters', { cid }), /Букет невесты/);
    await menu.press('Где ищут');
    expect(menu.text()).toMatch(/• Москва — 1\u2009200\n• Казань — 300 · интерес выше среднего, 164 %/);
    await menu.press('К кластеру');
    expect(menu.text()).toContain('Главная фраза: «букет невесты»');
  });

  it('says so where nothing is known of any phrase', async () => {
    const menu = browsing([aCluster('Букеты', [aPhrase('букет', null)], { avg_difficulty: null })]);
    await menu.presses(to('kw:{cid}:clusters', { cid }), /Букеты/);
    expect(menu.text()).toContain('1 фраза · нет данных об объёме');
    expect(menu.text()).not.toContain('Объёмы:');
  });

  it('is not mistaken for the one that took its place', async () => {
    const menu = browsing(someClusters);
    const stale = await menu.linkOf(to('kw:{cid}:clusters', { cid }), /Букет невесты/);
    await menu.presses(to('kw:{cid}:del', { cid }), /✕ Букет невесты/);
    await menu.press('Да, удалить');
    expect(await menu.visit(stale)).toEqual({
      open: to('kw:{cid}:clusters', { cid }),
      toast: 'Список изменился, вот он заново',
    });
  });
});

describe('deleting', () => {
  it('takes a phrase out at one press, and a second press of the same button takes no other', async () => {
    const menu = browsing(someClusters);
    const cross = await menu.linkOf(to('kw:{cid}:phdel:{i}', { cid, i: 0 }), '✕ букет невесты');
    await menu.press('✕ букет невесты');
    expect(menu.labels()).toContain('✕ букет невесты 2026');
    expect(await menu.visit(cross)).toMatchObject({ toast: 'Список изменился, вот он заново' });
    expect(phrasesIn(menu.keywords())).toEqual(['букет невесты 2026', 'бутоньерка жениха']);
  });

  it('stays in a cluster that has lost its place among the others', async () => {
    const menu = browsing(someClusters);
    await menu.presses(to('kw:{cid}:phdel:{i}', { cid, i: 0 }), '✕ букет невесты');
    expect(menu.text()).toContain('Удаление фраз · Букет невесты');
    await menu.press('Готово');
    expect(menu.text()).toContain('1 фраза · 100 запросов в месяц');
  });

  it('lets a cluster go with its last phrase, and a category be empty with its last cluster', async () => {
    const menu = browsing(someClusters);
    await menu.presses(to('kw:{cid}:phdel:{i}', { cid, i: 1 }), '✕ бутоньерка жениха');
    expect(menu.labels()).toEqual(['★ Букет невесты · 2 фразы', 'К фразам']);
    await menu.presses(to('kw:{cid}:del', { cid }), /✕ Букет невесты/);
    await menu.press('Да, удалить');
    expect(menu.text()).toContain('Фраз пока нет');
    expect(menu.keywords()).toEqual([]);
  });

  it('takes a whole cluster at the second press, and goes on with the list', async () => {
    const menu = browsing(someClusters);
    await menu.presses(to('kw:{cid}:del', { cid }), /✕ Букет невесты/);
    expect(menu.text()).toContain('• 2 фразы');
    expect(menu.keywords()).toBe(someClusters);
    await menu.press('Да, удалить');
    expect(menu.labels()).toEqual(['✕ Бутоньерки · 1 фраза', 'Готово']);
    expect(phrasesIn(menu.keywords())).toEqual(['бутоньерка жениха']);
  });

  it('stays on its page of a long list, or goes to the last one there is', async () => {
    const flat = Array.from({ length: 17 }, (_, i) => aPhrase(`фраза ${i}`, 100 - i));
    const menu = browsing(flat);
    await menu.presses(to('kw:{cid}:del', { cid }), '▶');
    await menu.press('✕ фраза 9');
    expect(menu.labels()).toContain('2/2');
    expect(menu.labels()).toContain('✕ фраза 16');
  });

  it('takes everything at the second press, after telling what goes and what it means', async () => {
    const menu = browsing(someClusters);
    await menu.open(to('kw:{cid}:del_all', { cid }));
    expect(menu.text()).toMatch(/• 2 кластера\n• 3 фразы/);
    expect(menu.text()).toContain('1 расписание будет пропускать публикации');
    expect(menu.keywords()).toBe(someClusters);
    await menu.press('Да, удалить');
    expect(menu.text()).toMatch(/^Все фразы удалены\.\n\nКлючевые фразы/);
    expect(menu.keywords()).toEqual([]);
  });

  it('takes nothing when the phrases are others than those that were asked about', async () => {
    const menu = browsing(someClusters);
    await menu.open(to('kw:{cid}:del_all:yes:{h}', { cid, h: '0a1b2c3d' }));
    expect(menu.text()).toContain('Удалить все фразы категории');
    expect(menu.keywords()).toBe(someClusters);
  });
});

const list = to('category:{cid}:keywords', { cid });

type Menu = ReturnType<typeof browsing>;

async function look(menu: Menu, link: Link) {
  await menu.open(link);
  return { text: menu.text(), labels: menu.labels() };
}

/** A person who presses what they see. */
function browsing(keywords: Keywords) {
  const menu = playedMenu({ keywords });
  let seen: Screen = { text: [], keyboard: [] };
  return {
    visit: (link: Link): Promise<RouteAnswer> => menu.visit(link, visitor),
    open,
    press: async (label: string) => open(find(label)),
    presses: async (link: Link, label: string | RegExp) => open(await linkOf(link, label)),
    linkOf,
    text: () => toHtml(seen.text).replace(/<[^>]+>/gu, ''),
    labels: () => seen.keyboard.flat().map(({ label }) => label),
    keywords: menu.keywords,
  };

  async function open(link: Link): Promise<void> {
    const answer = await menu.visit(link, visitor);
    if ('show' in answer) {
      seen = answer.show;
    } else if ('open' in answer) {
      await open(answer.open);
      seen = { ...seen, text: paragraphs(answer.notice ?? null, seen.text) };
    } else throw new Error(`${link.pattern} showed nothing`);
  }

  async function linkOf(link: Link, label: string | RegExp): Promise<Link> {
    await open(link);
    return find(label);
  }

  function find(label: string | RegExp): Link {
    const fits = (each: Button) =>
      typeof label === 'string' ? each.label === label : label.test(each.label);
    const found = seen.keyboard.flat().find(fits);
    if (!found || !('link' in found)) throw new Error(`no button ${label}`);
    return found.link;
  }
}

const phrasesIn = (keywords: Keywords): string[] =>
  keywords.flatMap((item) => ('phrases' in item ? item.phrases.map(({ phrase }) => phrase) : item.phrase));
