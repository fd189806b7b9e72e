import { describe, expect, it } from 'vitest';
import { findClash } from '../../../src/services/article/find-clash.ts';
import { aCluster, aPhrase } from '../../menu/played-keywords.ts';

const keywords = [
  aCluster('Букет невесты', [aPhrase('букет невесты', 900), aPhrase('свадебный букет', 100)]),
  aCluster('Бутоньерки', [aPhrase('бутоньерка жениха', 300)]),
];
const earlier = (keyword: string, title: string | null = null) => [
  { keyword, title, url: 'https://romashka.ru/a', state: 'published' as const },
];

describe('an earlier article clashes', () => {
  it.each([
    ['the same phrase', 'Букет невесты'],
    ['another form and order of its words', 'невесте букеты'],
    ['another phrase of the same cluster, for which people see the same results', 'свадебный букет'],
  ])('when it is about %s', (_, keyword) => {
    expect(findClash('букет невесты', keywords, earlier(keyword))).toEqual({
      title: keyword,
      url: 'https://romashka.ru/a',
      state: 'published',
    });
  });

  it('when its title asks the same, whatever phrase it was written for', () => {
    expect(findClash('букет невесты', keywords, earlier('цветы', 'Букет для невесты'))?.title).toBe(
      'Букет для невесты',
    );
  });

  it('also while it is a draft', () => {
    const draft = [{ keyword: 'букет невесты', title: 'Букет', url: null, state: 'draft' as const }];
    expect(findClash('букет невесты', keywords, draft)).toEqual({
      title: 'Букет',
      url: null,
      state: 'draft',
    });
  });
});

it.each(['букет невесты цена', 'букет', 'бутоньерка жениха', 'букет из роз', ''])(
  'an article about «%s» answers another question',
  (keyword) => {
    expect(findClash('букет невесты', keywords, earlier(keyword))).toBeNull();
  },
);

it('phrases of an old flat list are compared by their words', () => {
  const flat = [aPhrase('букет невесты'), aPhrase('бутоньерки')];
  expect(findClash('бутоньерки', flat, earlier('бутоньерка'))).not.toBeNull();
  expect(findClash('бутоньерки', flat, earlier('букет невесты'))).toBeNull();
});
