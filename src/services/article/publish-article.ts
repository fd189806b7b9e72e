import type { PublishArticleInput, PublishedArticle } from '../../../machines/fragments/article-ports.ts';
import type { Operations, RunStage } from '../../engine/operations.ts';
import { AppError, DeliveryFailed, DraftExpired } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { PublishAnswer } from '../../platforms/adapter.ts';
import type { Platform } from '../../platforms/platforms.ts';
import type { Connection, ConnectionMetadata, ConnectionStatus } from '../../store/connections.ts';
import type { Draft, DraftImage } from '../../store/draft.ts';
import type { EndedDraft } from '../../store/draft-ends.ts';
import type { NewPublication } from '../../store/publications.ts';
import { slug } from '../content/slug.ts';
import { pictureFormat } from '../pictures/picture-format.ts';

/** An article on its way to a site: whole, with the pictures themselves. */
type ArticleContent = {
  title: string;
  /** With the title, contents and JSON-LD; pictures by the addresses that `images` names. */
  html: string;
  slug: string;
  excerpt: string;
  seo: { title: string; description: string; focus: string };
  images: {
    url: string;
    /** Null: it is nowhere any more, and its place in the text is empty. */
    bytes: Buffer | null;
    contentType: string;
    filename: string;
    alt: string;
    caption: string;
  }[];
  /** To be finished on the site by its owner, not to be read there yet. */
  asDraft?: boolean;
  /** The bot's category; what the connection itself says about rubrics comes with its credentials. */
  category: string;
};

export type ArticlePublisher = (
  connection: Connection,
  credentials: unknown,
  content: ArticleContent,
  call: { idempotencyKey: string; stage: RunStage; signal: AbortSignal },
) => Promise<PublishAnswer>;

/** It may be on the site. The person looks, and decides. */
export class PublishUnknown extends AppError {
  readonly code = 'PUBLISH_UNKNOWN';
  readonly userMessage: string;
  override readonly retryable = true;
  constructor(site: string, why: string, asDraft: boolean) {
    super(why);
    this.userMessage = asDraft
      ? `Ответ сайта ${site} потерялся: черновик мог сохраниться. Посмотрите в админке сайта, раздел «Записи». Если его там нет, сохраните ещё раз.`
      : `Ответ сайта ${site} потерялся: статья могла опубликоваться. Проверьте сайт. Если статьи там нет, опубликуйте ещё раз.`;
  }
}

export class ConnectionGone extends AppError {
  readonly code = 'CONNECTION_GONE';
  readonly userMessage =
    'Подключение к сайту удалено. Подключите сайт снова или выберите другой: черновик подождёт.';
}

type Deps<Tx> = {
  operations: Pick<Operations<Tx>, 'withStages'>;
  drafts: {
    claimForPublishing(
      userId: number,
      draftId: number,
      key: string,
      site: string,
      asDraft: boolean,
    ): Promise<Draft | null>;
    aim(draftId: number, key: string, site: Connection): Promise<void>;
    settle(draftId: number, key: string): Promise<void>;
    /** Null: the draft was deleted with its project. */
    release(draftId: number, key: string, notOn: string | null): Promise<unknown>;
    /** The tokens of a draft that was deleted while it was being published. */
    refundDeleted(draft: Draft): Promise<void>;
  };
  connections: {
    list(userId: number, projectId: number): Promise<Connection[] | null>;
    credentials(userId: number, connectionId: number): Promise<unknown>;
    note(
      connectionId: number,
      change: { status?: ConnectionStatus; metadata?: ConnectionMetadata },
    ): Promise<void>;
  };
  /** Platforms that take articles. */
  publishers: Partial<Record<Platform, ArticlePublisher>>;
  readPicture(path: string): Promise<Buffer | null>;
  categoryName(userId: number, categoryId: number): Promise<string | null>;
  /** Null: its project was deleted meanwhile, and there is nowhere to note it. */
  notePublication(publication: NewPublication): Promise<number | null>;
  /** Gives the tokens of a draft back whose day is over. */
  expireNow(draftId: number): Promise<void>;
  discard(left: Pick<EndedDraft, 'pictures' | 'telegraphPath'>): Promise<void>;
  /** Lets search engines know of the page, now or later; never fails. */
  announce(page: { key: string; userId: number; connectionId: number; url: string }): Promise<void>;
  log: Log;
};

/**
 * From an approved draft to a post on the person's site. One key per version of the text: however often it is pressed or
 * resumed, what is on the site already is not sent again, and one post comes of it.
 */
export const makePublishArticle =
  <Tx>(deps: Deps<Tx>) =>
  (
    { key, userId, draftId, site, asDraft = false }: PublishArticleInput,
    signal: AbortSignal,
  ): Promise<PublishedArticle> =>
    deps.operations.withStages({ key, userId, request: { draftId }, signal }, async (stage, lease) => {
      const draft = await deps.drafts.claimForPublishing(userId, draftId, key, site, asDraft);
      if (!draft) {
        await deps.expireNow(draftId);
        throw new DraftExpired(draftId);
      }
      const call = { idempotencyKey: key, stage, signal: lease };
      const { connection, delivery } = await arrived(deps, draft, { site, asDraft }, call);
      const publicationId = await stage('noted', () =>
        deps.notePublication({
          ...toPublication(key, draft, connection, delivery.url, delivery.isDraft ? 'draft' : 'success'),
          asDraft,
        }),
      );
      await deps.drafts.settle(draftId, key);
      // A draft has no page that a search engine could read.
      if (delivery.url !== null && !delivery.isDraft)
        await deps.announce({ key, userId, connectionId: connection.id, url: delivery.url });
      if (connection.status !== 'active') await deps.connections.note(connection.id, { status: 'active' });
      await deps.discard({
        pictures: draft.images.map(({ storage_path }) => storage_path),
        telegraphPath: draft.telegraph?.path ?? null,
      });
      return {
        publicationId,
        url: delivery.url,
        ...(delivery.isDraft && { isDraft: true }),
        warnings: [...delivery.warnings],
      };
    });

type Wanted = { site: string; asDraft: boolean };

/**
 * On the site for certain; or a draft again, with the reason. What has arrived stays claimed, whatever fails behind it:
 * a post that could still be cancelled would be a post and a refund (X02).
 */
async function arrived<Tx>(
  deps: Deps<Tx>,
  draft: Draft,
  { site, asDraft }: Wanted,
  call: Parameters<ArticlePublisher>[3],
): Promise<{ connection: Connection; delivery: PublishAnswer & { outcome: 'sent' } }> {
  let sentTo: Connection | null = null;
  try {
    const connection = await connectionTo(deps, draft, site);
    const send = await prepared(deps, draft, connection, asDraft, call);
    await deps.drafts.aim(draft.id, call.idempotencyKey, connection);
    sentTo = connection;
    const delivery = await send();
    if (delivery.outcome === 'unknown')
      throw new PublishUnknown(connection.identifier, delivery.message, asDraft);
    return { connection, delivery };
  } catch (error) {
    // Interrupted: the claim stays for the next process. Otherwise the publisher's own failure is certain, and any
    // other end after the aim leaves open what the site has.
    if (!call.signal.aborted) await giveUp(deps, draft, call.idempotencyKey, sentTo, asDraft, error);
    throw error;
  }
}

async function giveUp<Tx>(
  { drafts, notePublication }: Deps<Tx>,
  draft: Draft,
  key: string,
  sentTo: Connection | null,
  asDraft: boolean,
  error: unknown,
): Promise<void> {
  const isCertain = error instanceof DeliveryFailed;
  if (sentTo && !isCertain)
    await notePublication({ ...toPublication(key, draft, sentTo, null, 'unknown'), asDraft });
  const isThere = await drafts.release(draft.id, key, isCertain ? (sentTo?.identifier ?? null) : null);
  if (!isThere && (isCertain || !sentTo)) await drafts.refundDeleted(draft);
}

async function connectionTo<Tx>(
  { connections, publishers }: Deps<Tx>,
  { id, userId, projectId }: Draft,
  site: string,
): Promise<Connection> {
  const all = (await connections.list(userId, projectId)) ?? [];
  const found = all.find(({ identifier, platform }) => identifier === site && publishers[platform]);
  if (!found) throw new ConnectionGone(`draft ${id} is for ${site}, which is not connected`);
  return found;
}

/** Everything that can fail before the site is asked; the call itself is left to the caller. */
async function prepared<Tx>(
  { publishers, connections, readPicture, categoryName, log }: Deps<Tx>,
  draft: Draft,
  connection: Connection,
  asDraft: boolean,
  call: Parameters<ArticlePublisher>[3],
): Promise<() => Promise<PublishAnswer>> {
  const publish = publishers[connection.platform];
  if (!publish) throw new TypeError(`Expected a platform that takes articles, got ${connection.platform}`);
  const category = (await categoryName(draft.userId, draft.categoryId)) ?? '';
  const content = { ...(await toContent(draft, category, readPicture, log)), asDraft };
  const credentials = await connections.credentials(draft.userId, connection.id);
  return async () => {
    try {
      return await publish(connection, credentials, content, call);
    } catch (error) {
      // The connection's page should show why nothing arrives there (E02).
      if (error instanceof DeliveryFailed && error.report.scope !== 'delivery')
        await connections.note(connection.id, {
          status: 'error',
          metadata: { lastError: error.userMessage },
        });
      throw error;
    }
  };
}

async function toContent(
  draft: Draft,
  category: string,
  readPicture: (path: string) => Promise<Buffer | null>,
  log: Log,
): Promise<ArticleContent> {
  const { title, html, details, keyword } = draft;
  const images = await Promise.all(
    draft.images.map(async (image) => toImage(image, await readPicture(image.storage_path))),
  );
  const missing = images.filter(({ bytes }) => bytes === null).length;
  if (missing > 0) log.warn({ draft: draft.id, missing }, 'pictures of a draft are gone');
  return {
    title,
    html,
    slug: shortSlug(title),
    excerpt: details.metaDescription,
    seo: { title: details.seoTitle, description: details.metaDescription, focus: keyword },
    images,
    category,
  };
}

const MOST_SLUG = 80;

/** Cut between words: an address is read, too. */
export function shortSlug(title: string): string {
  const whole = slug(title);
  if (whole.length <= MOST_SLUG) return whole;
  const cut = whole.slice(0, MOST_SLUG + 1);
  return cut.slice(0, Math.max(cut.lastIndexOf('-'), 1));
}

function toImage({ url, alt, filename, caption }: DraftImage, bytes: Buffer | null) {
  const format = bytes && pictureFormat(bytes);
  return {
    url,
    bytes: format && bytes,
    alt,
    caption,
    contentType: format?.contentType ?? '',
    filename: format ? `${filename}.${format.extension}` : filename,
  };
}

function toPublication(
  key: string,
  draft: Draft,
  connection: Connection,
  url: string | null,
  status: NewPublication['status'],
): NewPublication {
  const { userId, projectId, categoryId, keyword, words, images, tokens, details } = draft;
  return {
    key,
    userId,
    projectId,
    categoryId,
    connectionId: connection.id,
    platform: connection.platform,
    contentType: 'article',
    status,
    keyword,
    url,
    words,
    images: images.length,
    tokens,
    model: details.modelUsed,
    promptVersion: details.promptVersion,
    generationTimeMs: details.generationTimeMs,
    contentHash: details.contentHash,
    ...(details.results && { results: details.results }),
  };
}
