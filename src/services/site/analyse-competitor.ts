import type { CompetitorFacts } from '../../clients/competitor-facts.ts';
import { withDeadline } from '../../clients/http/deadline.ts';
import type { WebPage } from '../../clients/http/web-page.ts';
import type { RunStage } from '../../engine/operations.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { AnswerTo } from '../ai/answers.ts';
import type { AskModel } from '../ai/ask.ts';
import { outsideText } from '../ai/outside-text.ts';
import { type Brief, companyVariables } from '../projects/brief.ts';

export type CompetitorAnalysis = AnswerTo<'competitor_analysis'>;

export type AnalyseCompetitorInput = {
  url: string;
  /** The company the competitor is compared with. */
  brief: Brief;
  categoryKeywords: readonly string[];
  userId: number;
  stage: RunStage;
  signal?: AbortSignal;
  report?: (stage: 'reading' | 'comparing') => void;
};

export type AnalyseCompetitor = ReturnType<typeof makeAnalyseCompetitor>;

export type AnalyseCompetitorPorts = {
  readPage(url: string, reading: Reading): Promise<WebPage | null>;
  /** Notes on the whole site; a help, not a condition. */
  extract(url: string, reading: Reading): Promise<CompetitorFacts | null>;
  ask: AskModel;
  log: Log;
  extractPatienceMs?: number;
};
type Reading = { userId: number; signal?: AbortSignal };

/** The page could not be read, and there is nothing to say about it (E31b). */
export class CompetitorUnreadable extends AppError {
  readonly code = 'EXTERNAL_SERVICE';
  readonly userMessage = 'Анализ конкурентов недоступен. Попробуйте позже.';
  override readonly retryable = true;
  constructor(url: string) {
    super(`the competitor's page ${url} could not be read`);
  }
}

const TEXT_LENGTH = 6_000;
const LINE_LENGTH = 400;
const MOST_HEADINGS = 30;
const MOST_NOTES = 15;
const MOST_KEYWORDS = 50;

export function makeAnalyseCompetitor({
  readPage,
  extract,
  ask,
  log,
  extractPatienceMs = 30_000,
}: AnalyseCompetitorPorts) {
  return async (input: AnalyseCompetitorInput): Promise<CompetitorAnalysis> => {
    const { url, brief, categoryKeywords, userId, stage, signal } = input;
    const competitor = await stage('page', async () => {
      // One after the other: notes cost five times a page, and without the page they are of no use.
      const page = await readPage(url, { userId, signal });
      if (!page) throw new CompetitorUnreadable(url);
      return competitorData(page, await notesOn(input));
    });
    input.report?.('comparing');
    return stage('analysis', async () => {
      const variables = {
        ...companyVariables(brief),
        competitor_data: competitor,
        category_keywords: categoryKeywords.slice(0, MOST_KEYWORDS).join(', '),
      };
      return (await ask('competitor_analysis', { variables, userId, signal })).content;
    });
  };

  async function notesOn({ url, userId, signal }: AnalyseCompetitorInput): Promise<CompetitorFacts | null> {
    try {
      return await withDeadline(extractPatienceMs, signal, (until) =>
        extract(url, { userId, signal: until }),
      );
    } catch (err) {
      signal?.throwIfAborted();
      log.warn({ err, url }, 'notes on a competitor did not come');
      return null;
    }
  }
}

function competitorData(page: WebPage, notes: CompetitorFacts | null): string {
  const line = (text: string) => outsideText(text, LINE_LENGTH);
  const list = (texts: readonly string[]) => texts.slice(0, MOST_NOTES).map(line).join('; ');
  const headings = page.headings.slice(0, MOST_HEADINGS).map(({ level, text }) => `H${level} ${line(text)}`);
  return [
    `Адрес: ${line(page.url)}`,
    `Заголовок: ${line(page.title)}`,
    `Описание: ${line(page.description)}`,
    `Слов на странице: ${page.words}`,
    `Подзаголовки: ${headings.join('; ')}`,
    `Коротко: ${line(page.summary)}`,
    ...(notes
      ? [
          `Компания: ${line(notes.company_name)}`,
          `Темы сайта: ${list(notes.main_topics)}`,
          `Виды материалов: ${list(notes.content_types)}`,
          `Чем выделяется: ${list(notes.unique_selling_points)}`,
          `О чём не рассказывает: ${list(notes.content_gaps)}`,
          `Примерное число страниц: ${notes.estimated_pages ?? 'неизвестно'}`,
          `Поисковые фразы: ${list(notes.primary_keywords)}`,
        ]
      : []),
    `Текст: ${outsideText(page.text, TEXT_LENGTH)}`,
  ].join('\n');
}
