import { type DestinationStream, pino } from 'pino';
import type { Author } from '../../../src/sandbox/openrouter/router.ts';
import { tinyPng } from '../../sandbox/tiny-png.ts';

/** Says the least that will do, so that a test can tell it by heart. */
export const post = { text: 'Шкафы на заказ: замер завтра.', hashtags: ['шкафы'], pin_title: 'Шкаф' };
export const article = {
  title: 'Шкафы-купе на заказ',
  seo_title: 'Шкафы-купе на заказ в Москве',
  meta_description: 'Как выбрать шкаф-купе',
  content_markdown: '## Выбор\n\nТекст с «кавычками», {скобками} и [списком],',
  faq_schema: [{ question: 'Сколько ждать?', answer: 'Две недели.' }],
  images_meta: [],
};
export const outline = {
  title: 'Шкафы-купе',
  sections: [{ h2: 'Выбор', h3_list: [], key_points: ['замер'], target_phrases: [] }],
  faq_questions: [],
  target_word_count: 2_000,
  suggested_images: [],
};
export const reviews = {
  reviews: [{ author: 'Анна', date: '2026-01-02', rating: 5, text: 'Хорошо', pros: 'срок', cons: 'нет' }],
};

const written: Readonly<Record<string, unknown>> = {
  article,
  article_outline: outline,
  social_post: post,
  cross_post: post,
  review: reviews,
  description: '  Мебель на заказ с 2005 года.  ',
};

export const tinyAuthor: Author = {
  writeAnswer: ({ task }) => written[task] ?? {},
  drawPicture: async () => tinyPng(8, 8),
};

export type LogLine = { level: number; msg: string; [field: string]: unknown };

/** A log whose lines can be read back. */
export function readableLog() {
  const lines: LogLine[] = [];
  const stream: DestinationStream = { write: (line) => void lines.push(JSON.parse(line)) };
  return { lines, log: pino({ level: 'debug' }, stream) };
}
