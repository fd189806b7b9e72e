import type { AnswerTo } from '../../../services/ai/answers.ts';
import { stems } from '../../../services/quality/russian-text.ts';
import { makeChance } from './chance.ts';
import { jsonOf, linesOf, numberOf, type Tags } from './read-tags.ts';
import { recordOf } from './recorded-articles.ts';

const MOST_TOPICS = 8;
const MOST_GAPS = 5;

/** Reads headings and key words off the competitor's page; what our phrases name and the page does not, is a gap. */
export function writeCompetitorAnalysis(tags: Tags): AnswerTo<'competitor_analysis'> {
  const data = tags('competitor_data');
  const chance = makeChance(`competitor|${data.slice(0, 500)}`);
  const topics = topicsIn(data);
  const covered = new Set(stems(data));
  const missing = linesOf(tags('category_keywords'))
    .flatMap((line) => line.split(/[,;]/u))
    .map((phrase) => phrase.replace(/\s*\([^()]*\)\s*$/u, '').trim())
    .filter((phrase) => phrase !== '' && stems(phrase).some((part) => part.length > 2 && !covered.has(part)));
  const headed = new Set(stems([...topics, sellingIn(data)].join(' ')));
  const unwritten = chance
    .shuffled(Object.values(recordOf('general').sections).map(({ headings }) => headings[0]!))
    .filter((title) => !stems(title).some((part) => part.length > 4 && headed.has(part)));
  // New topics first: phrases that are there already would add nothing.
  const content_gaps = [...new Set([...unwritten.slice(0, 3), ...missing])].slice(0, MOST_GAPS);

  return {
    pages_indexed: numberOf(/(?:estimated_pages|pages_indexed)"?\s*[:=]\s*(\d+)/u.exec(data)?.[1] ?? '', 1),
    positioning: positioning(data, topics),
    strengths: strengths(data, topics),
    key_topics: topics,
    content_gaps,
    meta_analysis: metaAnalysis(data, topics.length),
    recommendations: [
      ...content_gaps.slice(0, 3).map((gap) => `Написать страницу на тему «${gap}»: у конкурента её нет.`),
      'Дать таблицу сравнения и список для проверки: их читают с телефона охотнее сплошного текста.',
      'Собрать вопросы клиентов в раздел с ответами и разметить его для поиска.',
    ].slice(0, 5),
  };
}

/** Headings of the page; in extracted data, the lists that name its subjects. */
function topicsIn(data: string): string[] {
  const headings = [
    ...[...data.matchAll(/^#{1,3}\s+(.+)$/gmu)].map(([, text]) => text!.trim()),
    ...(/^Подзаголовки: (.+)$/mu.exec(data)?.[1] ?? '')
      .split(';')
      .map((heading) => heading.replace(/^\s*H[1-6]\s+/u, '').trim())
      .filter((heading) => heading !== ''),
  ];
  const listed = [
    ...data.matchAll(/"(?:main_topics|primary_keywords|h1|h2|h3|headings)"\s*:\s*(\[[^\]]*\])/gu),
  ]
    .map(([, list]) => jsonOf(list!))
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .filter((item): item is string => typeof item === 'string');
  return [...new Set([...headings, ...listed])].slice(0, MOST_TOPICS);
}

/** Who they say they are: the title and the subject that comes first. */
function positioning(data: string, topics: readonly string[]): string {
  const title = titleIn(data);
  const first = topics[0] ?? 'своя тема';
  return title
    ? `Подаёт себя так: «${title}». Главное на странице — «${first}», обращается к тем, кто уже выбирает.`
    : `Главное на странице — «${first}»; кто за ней стоит, с первого экрана не понять.`;
}

function strengths(data: string, topics: readonly string[]): string[] {
  const words = numberOf(/Слов на странице: (\d+)/u.exec(data)?.[1] ?? '', 0);
  const selling = sellingIn(data);
  return [
    ...(words >= 400
      ? [`Подробный текст: около ${words} слов, вопросы покупателя не остаются без ответа.`]
      : []),
    ...(topics.length >= 4 ? ['Страница поделена на разделы: нужное находят, не читая всего.'] : []),
    ...(selling ? [`Обещает конкретное: ${selling}.`] : []),
    ...(/\d+\s*(?:₽|руб)/u.test(data) ? ['Цены названы сразу, звонить ради них не нужно.'] : []),
  ].slice(0, 4);
}

const sellingIn = (data: string): string => /^Чем выделяется: (.+)$/mu.exec(data)?.[1] ?? '';

const titleIn = (data: string): string =>
  /(?:"?title"?\s*[:=]\s*"?|^Заголовок: )([^"\n]+)/mu.exec(data)?.[1]?.trim() ?? '';

function metaAnalysis(data: string, topics: number): string {
  const title = titleIn(data);
  const named = title
    ? `Заголовок страницы: «${title}» (${title.length} знаков).`
    : 'Заголовок страницы не указан.';
  const wide = topics >= 4 ? 'Темы раскрыты широко.' : 'Тем немного, обойти такую страницу реально.';
  return `${named} ${wide} Проверьте, есть ли у страницы описание на 120–160 знаков и ответы на частые вопросы.`;
}
