import { AppError } from '../../errors.ts';
import type { DraftImage } from '../../store/draft.ts';
import type { FinishInBackground } from '../../workers/content-desk.ts';
import type { ArticleAnswer } from '../ai/answers.ts';
import type { AskModel } from '../ai/ask.ts';
import { placePictures } from '../pictures/place-pictures.ts';
import { companyVariables, pricesExcerpt } from '../projects/brief.ts';
import { articleLength } from './article-length.ts';
import { atWord, cleanAnswer, oneLine } from './clean-answer.ts';
import type { GatherSourcesInput, Sources } from './gather-sources.ts';
import { snapshotOf } from './search-snapshot.ts';
import {
  type ArticleDraft,
  type ArticleOrder,
  type ArticleRun,
  META_LENGTH,
  notesOf,
  refuseTheUnfit,
  SEO_TITLE_LENGTH,
  toWritten,
} from './write-article.ts';

/** The version that the person has seen, and what they want otherwise. */
type Revision = {
  wish: string;
  answer: ArticleAnswer;
  pictures: readonly DraftImage[];
  imagesWanted: number;
  ownPhotos: number;
};

export type ReviseArticle = (
  order: ArticleOrder,
  revision: Revision,
  run: ArticleRun,
) => Promise<ArticleDraft & { changes: string }>;

type Deps = {
  gatherSources: (input: GatherSourcesInput) => Promise<Sources>;
  ask: AskModel;
  finish: FinishInBackground;
  clock?: () => Date;
};

/** Drafts of an earlier release kept the finished page alone, and a page cannot be edited as a text. */
export class DraftNotEditable extends AppError {
  readonly code = 'DRAFT_NOT_EDITABLE';
  readonly userMessage =
    'Эту статью по словам не поправить: она написана до обновления бота. Нажмите «Перегенерировать».';
}

/** Long enough for two sentences; it lives in the session. */
const CHANGES_LENGTH = 240;

/** The same article, changed as the person has said; its pictures stay. */
export const makeReviseArticle =
  ({ gatherSources, ask, finish, clock = () => new Date() }: Deps): ReviseArticle =>
  async (order, { wish, answer: before, pictures, imagesWanted, ownPhotos }, run) => {
    const { userId, stage, signal, report } = run;
    const { mainPhrase, company, topic, projectId } = order;
    const began = await stage('began', async () => clock().toISOString());
    // The text is judged by the same results as before; they are still in the cache mostly.
    report('gathering');
    const sources = await stage('sources', () =>
      gatherSources({
        ...{ mainPhrase, company, projectId, userId, signal },
        ...(order.ownLinks && { ownLinks: order.ownLinks }),
      }),
    );
    const words = articleLength(order.text.wordsChosen ? order.text.words : null, sources.competitorWords);
    report('writing');
    const text = await stage('revision', () =>
      ask('article_revision', {
        variables: {
          ...companyVariables(order),
          main_phrase: mainPhrase,
          wish,
          current_markdown: `# ${before.title}\n\n${before.content_markdown}`,
          words_min: words.min,
          words_max: words.max,
          prices_excerpt: pricesExcerpt(topic.prices, 'article'),
        },
        userId,
        signal,
      }),
    );
    report('checking');
    const { changes_summary, ...written } = text.content;
    const answer = cleanAnswer(written, company);
    const unpictured = await finish(toWritten(order, sources, answer, [], began), { signal });
    const placed = placePictures({
      title: answer.title,
      markdown: answer.content_markdown,
      meta: answer.images_meta,
      pictures: pictures.map(({ url, storage_path, width, height }, i) => ({
        ...{ index: i + 1, url, storage_path, width, height },
      })),
    });
    const pictured = { ...answer, content_markdown: placed.markdown };
    const final = await finish(toWritten(order, sources, pictured, placed.pictures, began), { signal });
    refuseTheUnfit(final);
    return {
      title: oneLine(answer.title),
      seoTitle: atWord(answer.seo_title || answer.title, SEO_TITLE_LENGTH),
      metaDescription: atWord(answer.meta_description, META_LENGTH),
      ...{ html: final.html, words: final.words, sections: final.sections },
      ...{ images: placed.pictures, imagesWanted, ownPhotos, answer },
      score: final.score.total,
      verdict: {
        score: final.score.total,
        strengths: final.score.strengths,
        weaknesses: final.score.weaknesses,
      },
      notes: notesOf(sources, { pictures: placed.pictures, failed: 0 }, final),
      ...(sources.results && { results: snapshotOf(sources) }),
      contentHash: unpictured.contentHash,
      modelUsed: text.modelUsed,
      promptVersion: text.promptVersion,
      generationTimeMs: clock().getTime() - Date.parse(began),
      changes: atWord(oneLine(changes_summary), CHANGES_LENGTH),
    };
  };
