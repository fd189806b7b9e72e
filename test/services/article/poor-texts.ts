import type { ArticleAnswer } from '../../../src/services/ai/answers.ts';

const plain =
  'Кухню меряют дважды. Мастер приезжает с рулеткой и лазером, чертит план и записывает каждую розетку. Потом выбирают фасады. ';
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
  said(answer, 'Кухни на заказ', `## Замер\n\n${plain.repeat(6)}\n\n## Сборка\n\n${plain.repeat(6)}`);

/** Nothing but clichés: below 40 points, which nobody should publish. */
export const awful = (answer: ArticleAnswer): ArticleAnswer =>
  said(answer, 'Гарнитуры', `## Замер\n\n${cliche.repeat(12)}`);
