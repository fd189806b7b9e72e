import type { WrittenArticle } from '../../src/services/article/finish-article.ts';
import { readHtml } from '../../src/services/quality/read-html.ts';
import { words } from '../../src/services/quality/russian-text.ts';
import { grownArticle } from '../services/content/honest-articles.ts';
import { goodArticle } from '../services/quality/good-article.ts';

const { h1, blocks } = readHtml(goodArticle.html);
const paragraphs = blocks
  .filter(({ text }) => text !== h1[0])
  .map(({ text, heading }) => (heading ? `## ${text}` : text));

/** What a model wrote, ready to be finished: Markdown of at least so many words, another one for every number. */
export function writtenArticle(seed: number, atLeastWords = 300): WrittenArticle {
  const lines: string[] = [grownArticle(seed).markdown];
  let length = words(lines[0]!).length;
  for (let n = seed; length < atLeastWords; n += 1) {
    const line = paragraphs[n % paragraphs.length]!;
    lines.push(line);
    length += words(line).length;
  }
  return {
    title: h1[0]!,
    markdown: lines.join('\n\n'),
    images: [],
    brand: { text: '#333333', accent: '#0066cc' },
    mainPhrase: goodArticle.mainPhrase,
    secondaryPhrases: [...goodArticle.secondaryPhrases],
    metaDescription: goodArticle.metaDescription,
    schemaType: '',
    author: 'Мастерская на Арбате',
    publisher: 'Мастерская на Арбате',
    datePublished: '2026-05-01T09:00:00Z',
    company: { specialization: 'Свадебная флористика', prices: '', phones: [], known: '' },
  };
}
