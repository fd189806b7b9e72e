import type { Article } from '../../../src/services/quality/score-article.ts';

const sentence =
  'Как известно, в современном мире данный букет является уникальной возможностью, и команда профессионалов, осуществляя индивидуальный подход и комплексный подход, предлагает свадебные букеты, свадебные букеты и ещё раз свадебные букеты высокого качества по доступным ценам в кратчайшие сроки.';

/** Clichés and the key phrase, over and over, in one endless paragraph. */
export const badArticle: Article = {
  html: `<h2>Наши преимущества</h2><p>${Array<string>(12).fill(sentence).join(' ')}</p>`,
  mainPhrase: 'свадебные букеты',
  secondaryPhrases: ['букет из пионов', 'бутоньерка жениха'],
  metaDescription: 'Купить букеты.',
};
