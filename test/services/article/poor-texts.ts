import type { ArticleAnswer } from '../../../src/services/ai/answers.ts';

const cliche =
  'Как известно, в современном мире данный гарнитур является уникальной возможностью, и команда профессионалов, осуществляя индивидуальный подход и комплексный подход, предлагает гарнитуры высокого качества по доступным ценам в кратчайшие сроки. ';

const said = (answer: ArticleAnswer, title: string, content_markdown: string): ArticleAnswer => ({
  ...answer,
  title,
  content_markdown,
  faq_schema: [],
});

/** Short and thin: between 40 and 59 points, which is worth a rewrite and a warning. */
export const mediocre = (answer: ArticleAnswer): ArticleAnswer =>
  said(
    answer,
    'Кухни на заказ: как их меряют и собирают дома',
    `## Замер\n\n${short.slice(0, 6).join(' ')}\n\n## Сборка\n\n${short.slice(6).join(' ')}`,
  );

const short = [
  'Кухню меряют дважды, и кухни на заказ тоже.',
  'Замер идёт первым шагом, и мастер приезжает к вам домой утром.',
  'Он смотрит на стены, пол и углы, а потом записывает размеры в тетрадь.',
  'После этого он рисует план и спрашивает, где будет стоять стол.',
  'На сегодняшний день у каждой семьи своя привычка: одни готовят вечером, другие только завтракают.',
  'План можно менять, пока цех не начал пилить доски.',
  'Обычно на это уходит вечер, иногда два вечера.',
  'Детали привозят в коробках, и коробки лучше поставить в коридор.',
  'Два человека собирают ящики с утра, к обеду они вешают дверцы.',
  'Здесь нужно терпение, потому что стены редко бывают ровными.',
  'Мусор после работы уносят с собой, если так записано в договоре.',
];

/** Nothing but clichés: below 40 points, which nobody should publish. */
export const awful = (answer: ArticleAnswer): ArticleAnswer =>
  said(answer, 'Гарнитуры', `## Замер\n\n${cliche.repeat(12)}`);
