import type { FactWarning } from '../quality/check-facts.ts';

/** What the person should know before publishing. */
export type ArticleNote = { code: string; text: string };

const most = 3;

export const notes = {
  noSearch: {
    code: 'no-search',
    text: 'Написано без свежих данных Google: узнать, что сейчас в поиске, не получилось.',
  },
  noCompetitors: {
    code: 'no-competitors',
    text: 'Написано без сравнения с конкурентами: прочитать их страницы не получилось.',
  },
  lowQuality: {
    code: 'low-quality',
    text: 'Качество ниже обычного. Прочитайте текст внимательно или закажите другой вариант.',
  },
  similar: {
    code: 'similar',
    text: 'Текст похож на вашу прежнюю публикацию. Лучше заказать другой вариант.',
  },
  reused: (phrase: string): ArticleNote => ({
    code: 'reused',
    text: `Свободных фраз не осталось, «${phrase}» использована повторно.`,
  }),
  picturesUnseen: {
    code: 'pictures-unseen',
    text: 'На странице предпросмотра картинок не видно: у бота нет своего адреса в интернете. В самой статье они есть.',
  },
  picturesMissing: (delivered: number, wanted: number): ArticleNote => ({
    code: 'pictures-missing',
    text:
      delivered === 0
        ? 'Картинки нарисовать не удалось, токены за них вернулись.'
        : `Картинок получилось ${delivered} из ${wanted}, токены за остальные вернулись.`,
  }),
} as const;

/** Facts that the company's own data do not bear out (E48). A long list is cut: the most serious come first. */
export function factNotes(warnings: readonly FactWarning[]): ArticleNote[] {
  return [...new Map(warnings.map((warning) => [`${warning.code} ${warning.value}`, warning])).values()]
    .slice(0, most)
    .map(factNote);
}

function factNote(warning: FactWarning): ArticleNote {
  switch (warning.code) {
    case 'price-not-listed':
      return { code: warning.code, text: `Возможно, выдуманная цена: ${warning.value}. В прайсе такой нет.` };
    case 'phone-not-of-company':
      return { code: warning.code, text: `Телефон ${warning.value} не указан в данных компании.` };
    case 'contact-not-of-company':
      return { code: warning.code, text: `Контакт ${warning.value} не указан в данных компании.` };
    case 'age-not-known':
      return { code: warning.code, text: `Стаж не подтверждён вашими данными: «${warning.value}».` };
    case 'share-not-known':
      return { code: warning.code, text: `Число без источника: ${warning.value}.` };
    case 'statistics-without-source':
      return { code: warning.code, text: `Утверждение без источника: «${warning.value}».` };
    default: {
      const never: never = warning;
      throw new TypeError(`unknown warning ${JSON.stringify(never)}`);
    }
  }
}
