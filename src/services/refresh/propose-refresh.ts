import type { ProposeRefreshInput, RefreshProposal } from '../../../machines/article-refresh.ts';
import { AppError, ContentRefused } from '../../errors.ts';
import type { PostText, StandingPost } from '../../platforms/wordpress/renew.ts';
import { textPrice } from '../../prices.ts';
import type { ArticleRefreshes, RefreshedArticle } from '../../store/article-refreshes.ts';
import type { CategoryBrief } from '../../store/briefs.ts';
import type { Payment } from '../../store/purse.ts';
import type { FinishInBackground } from '../../workers/content-desk.ts';
import type { AskModel } from '../ai/ask.ts';
import { critiqueVariables, type Material } from '../article/article-variables.ts';
import { chooseQuestions } from '../article/choose-questions.ts';
import { atWord, cleanAnswer, oneLine } from '../article/clean-answer.ts';
import type { GatherSourcesInput, Sources } from '../article/gather-sources.ts';
import { toOrder } from '../article/generate-article.ts';
import { angleOf, META_LENGTH, toWritten } from '../article/write-article.ts';
import type { LimitedWork } from '../money/limited-work.ts';
import type { Purse } from '../money/paid-work.ts';
import { words as wordsOf } from '../quality/russian-text.ts';
import { gate } from '../quality/score-article.ts';
import { searchChanges } from './search-changes.ts';
import { type Difference, differencesHtml, textDifferences } from './text-differences.ts';
import { blocksOf, holdsForeignParts, type ReadArticle, toMarkdown, withFigures } from './to-markdown.ts';

export class RefreshImpossible extends AppError {
  readonly code = 'REFRESH_IMPOSSIBLE';
  readonly userMessage: string;
  constructor(why: string, userMessage: string) {
    super(why);
    this.userMessage = userMessage;
  }
}

type Deps = {
  refreshes: Pick<ArticleRefreshes, 'article' | 'propose'>;
  briefOf(userId: number, categoryId: number): Promise<CategoryBrief | null>;
  /** The post behind an address of a connected site; null: it is not there. */
  findPost(
    userId: number,
    connectionId: number,
    url: string,
    signal: AbortSignal,
  ): Promise<StandingPost | null>;
  /** The new text as the site keeps it. */
  renewed(old: StandingPost, text: { title: string; html: string; excerpt: string }): PostText;
  gatherSources(input: GatherSourcesInput): Promise<Sources>;
  ask: AskModel;
  finish: FinishInBackground;
  makePage(
    page: { title: string; html: string; authorName: string },
    signal: AbortSignal,
  ): Promise<{ url: string } | null>;
  purse(payment: Payment): Purse;
  limitedWork: LimitedWork;
  now?: () => Date;
};

const SHOWN = 4;
const SHOWN_LENGTH = 90;
const MOST_CHANGES = 5;
/** A new version is about as long as the old one, and may say more. */
const ROOM = { min: 0.9, max: 1.4 };

/** From the accepted price to a version that can be looked at beside the old one; or the tokens back. Nothing changes on the site. */
export const makeProposeRefresh =
  ({
    refreshes,
    briefOf,
    findPost,
    renewed,
    gatherSources,
    ask,
    finish,
    makePage,
    purse,
    limitedWork,
    now = () => new Date(),
  }: Deps) =>
  (
    { key, userId, publicationId, price }: ProposeRefreshInput,
    signal: AbortSignal,
  ): Promise<RefreshProposal> => {
    const ownPurse = purse({
      ...{ key, userId },
      parts: { text_generation: price },
      description: 'обновление статьи',
    });
    const call = { key, userId, request: { publicationId, price }, signal };
    return limitedWork(call, { slots: { text_generation: 1 } }, ownPurse, async (stage, lease) => {
      const { article, brief } = await material();
      const post = await stage('post', () => standingPost(article, lease));
      const read = toMarkdown(post.content);
      const order = toOrder(brief, article.keyword!, 0);
      const sources = await stage('sources', () =>
        gatherSources({
          ...{ mainPhrase: article.keyword!, company: order.company, projectId: order.projectId, userId },
          signal: lease,
        }),
      );
      const blocks = blocksOf(read.markdown);
      const length = lengthOf(blocks);
      const about: Material = {
        ...{ order, sources },
        questions: chooseQuestions(sources.questions, angleOf(order)),
        words: { min: Math.round(length * ROOM.min), max: Math.round(length * ROOM.max) },
      };
      const changes = searchChanges(article.results, sources, `${post.title}\n${read.markdown}`);
      const today = await stage('today', async () => now().toISOString());
      const answer = await stage('text', async () => {
        const { quality_issues: _, ...variables } = critiqueVariables(about, null, {
          issues: [],
          markdown: `# ${post.title}\n\n${read.markdown}`,
        });
        const work =
          changes.length > 0 ? changes : ['Выдача почти та же: проверь, не устарело ли сказанное.'];
        const asked = { ...variables, search_changes: work, current_date: today.slice(0, 10) };
        return (await ask('article_refresh', { variables: asked, userId, signal: lease })).content;
      });
      const after = cleanAnswer(answer, order.company);
      const page = await finished(after, { about, read, published: article.publishedAt, today }, lease);
      const text = renewed(post, {
        title: oneLine(after.title),
        html: withFigures(page.html, read.figures),
        excerpt: atWord(after.meta_description, META_LENGTH),
      });
      // Read as the old one was: a list that the model only marks in another way is no difference.
      const newBlocks = blocksOf(toMarkdown(text.content).markdown);
      const differences = textDifferences(blocks, newBlocks);
      if (differences.every(({ kind }) => kind === 'same'))
        throw new RefreshImpossible(
          'nothing changed',
          'Обновлять нечего: в новом варианте все абзацы остались прежними. Статья на сайте не изменилась.',
        );
      const preview = await stage('preview', () =>
        makePage(
          {
            title: after.title,
            html: differencesHtml(after.title, differences),
            authorName: order.company.name,
          },
          lease,
        ),
      );
      const spent = Math.min(price, textPrice(page.words));
      const proposal = {
        title: oneLine(after.title),
        changes: changes.slice(0, MOST_CHANGES),
        ...shownOf(differences),
        words: { before: length, after: lengthOf(newBlocks) },
        previewUrl: preview?.url ?? null,
        spent,
      };
      const refreshId = await refreshes.propose({
        ...{ key, userId, publicationId, postId: post.id, proposal, tokens: spent },
        before: { title: post.title, content: post.content, excerpt: post.excerpt },
        after: text,
      });
      return { result: { ...proposal, refreshId }, spent };
    });

    async function material(): Promise<{ article: RefreshedArticle; brief: CategoryBrief }> {
      const article = await refreshes.article(userId, publicationId);
      const brief = article?.categoryId ? await briefOf(userId, article.categoryId) : null;
      if (!article?.keyword || !brief)
        throw new RefreshImpossible(
          'no category',
          'Категории этой статьи больше нет: обновлять её не по чему.',
        );
      return { article, brief };
    }

    async function standingPost(article: RefreshedArticle, lease: AbortSignal): Promise<StandingPost> {
      const { connectionId, url } = article;
      const post = connectionId && url ? await findPost(userId, connectionId, url, lease) : null;
      if (!post)
        throw new RefreshImpossible(
          'the post was not found',
          'Этой статьи на сайте больше нет, или сайт отключён от проекта.',
        );
      if (holdsForeignParts(post.content))
        throw new RefreshImpossible(
          'the post holds parts of the site',
          'В статью на сайте добавили видео, форму или другой блок: при обновлении он бы пропал. Такую статью лучше править в WordPress.',
        );
      return post;
    }

    async function finished(
      answer: ReturnType<typeof cleanAnswer>,
      from: { about: Material; read: ReadArticle; published: Date; today: string },
      lease: AbortSignal,
    ) {
      const { about, read, published, today } = from;
      const written = toWritten(about.order, about.sources, answer, [], published.toISOString());
      const places = written.places!;
      const page = await finish(
        {
          ...written,
          dateModified: today,
          // What the old text links to was allowed when it was written.
          places: {
            ...places,
            pages: [...(places.pages ?? []), ...read.links],
            sources: [...(places.sources ?? []), ...read.links],
          },
        },
        { signal: lease },
      );
      // Pictures come back into their places after this.
      const faults = page.faults.filter(({ code }) => code !== 'placeholder');
      if (gate(page.score) === 'blocked' || faults.length > 0)
        throw new ContentRefused(`scored ${page.score.total}, ${JSON.stringify(faults)}`);
      return page;
    }
  };

/** As it is read: addresses of links count as words nowhere. */
const lengthOf = (blocks: readonly string[]): number => wordsOf(blocks.join('\n')).length;

function shownOf(differences: readonly Difference[]) {
  const of = (kind: Difference['kind']) => differences.filter((each) => each.kind === kind);
  const beginnings = (kind: Difference['kind']) =>
    of(kind)
      .slice(0, SHOWN)
      .map(({ text }) =>
        (text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH).trimEnd()}…` : text).toWellFormed(),
      );
  return { added: beginnings('added'), removed: beginnings('removed'), unchanged: of('same').length };
}
