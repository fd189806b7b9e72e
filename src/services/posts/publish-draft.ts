import type { PostOutcome, PublishPostInput } from '../../../machines/fragments/post-ports.ts';
import type { Operations } from '../../engine/operations.ts';
import { AppError, DeliveryFailed, DraftExpired, OperationLost, PlatformOff } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { PublishAnswer } from '../../platforms/adapter.ts';
import { type PostPlatform, platformTitle } from '../../platforms/platforms.ts';
import type { PostPublisher } from '../../platforms/post-publisher.ts';
import { tokensReturned } from '../../russian.ts';
import type { Connection, ConnectionMetadata, ConnectionStatus } from '../../store/connections.ts';
import { isDatabaseAway } from '../../store/database-away.ts';
import type { StoredPost } from '../../store/post-drafts.ts';
import type { NewPublication } from '../../store/publications.ts';
import { openJournal } from './call-journal.ts';

class ChannelGone extends AppError {
  readonly code = 'CONNECTION_GONE';
  readonly userMessage =
    'Подключение удалено. Подключите канал снова: пост подождёт, а если он уже не нужен, верните токены.';
}

/** The channel itself does not let us in: another try changes nothing until it is connected anew (E08, X10). */
class ChannelRefused extends AppError {
  readonly code = 'PUBLISH_CHANNEL';
  readonly userMessage: string;
  constructor({ message, userMessage }: DeliveryFailed) {
    super(message);
    this.userMessage = userMessage;
  }
}

type Deps<Tx> = {
  operations: Pick<Operations<Tx>, 'withStages'>;
  drafts: {
    claimForPublishing(
      userId: number,
      draftId: number,
      key: string,
      place: string,
    ): Promise<StoredPost | null>;
    aim(draftId: number, key: string, place: Connection): Promise<void>;
    settle(draftId: number, key: string): Promise<void>;
    /** Null: the draft was deleted with its project. */
    release(
      draftId: number,
      key: string,
      notOn: string | null,
      isLost: boolean,
    ): Promise<{ lost: number } | null>;
    refundDeleted(draft: StoredPost): Promise<void>;
  };
  connections: {
    list(userId: number, projectId: number): Promise<Connection[] | null>;
    credentials(userId: number, connectionId: number): Promise<unknown>;
    note(
      connectionId: number,
      change: { status?: ConnectionStatus; metadata?: ConnectionMetadata },
    ): Promise<void>;
  };
  /** Null: the bot has no settings for that platform. */
  publishers: Readonly<Record<PostPlatform, PostPublisher | null>>;
  readPicture(path: string): Promise<Buffer | null>;
  /** Null: its project was deleted meanwhile, and there is nowhere to note it. */
  notePublication(publication: NewPublication): Promise<number | null>;
  /** Gives the tokens of a draft back whose day is over. */
  expireNow(draftId: number): Promise<void>;
  /** Gives the tokens of its picture back, once; `tokens`: what the post has cost with that. */
  returnPicture(draft: StoredPost): Promise<{ returned: number; tokens: number }>;
  log: Log;
};

type Sent = { url: string | null; warnings: string[]; withoutPicture?: true };

const CALL_LOST = 'Бот прервался, не дождавшись ответа площадки.';

/**
 * From an approved post to the channel. One key until an answer is lost: however often it is pressed or resumed, what
 * was sent is not sent again. A call that may have arrived is never repeated blindly: it ends as `unknown`, unless the
 * platform knows our keys.
 */
export const makePublishDraft =
  <Tx>(deps: Deps<Tx>) =>
  ({ key, userId, draftId }: PublishPostInput, signal: AbortSignal): Promise<PostOutcome> =>
    deps.operations.withStages({ key, userId, request: { draftId }, signal }, async (stage, lease, known) => {
      const { drafts, connections, notePublication, log } = deps;
      const draft = await drafts.claimForPublishing(userId, draftId, key, '');
      if (!draft) {
        await deps.expireNow(draftId);
        throw new DraftExpired(draftId);
      }
      const journal = openJournal(stage, known);
      let connection: Connection | null = null;
      let sent: Sent;
      try {
        sent = await stage('sent', async () => {
          connection = await connectionOf(deps, draft);
          const publisher = publisherOf(deps, connection);
          if (journal.isLost() && journal.isOlderThan(publisher.knowsKeysMs ?? Number.NEGATIVE_INFINITY))
            throw new AnswerLost(CALL_LOST);
          const delivery = await sendThrough(publisher, connection, draft);
          if (delivery.outcome === 'unknown') throw new AnswerLost(delivery.message, delivery.withoutPicture);
          const { url, warnings, withoutPicture } = delivery;
          return { url, warnings: [...warnings], ...(withoutPicture && { withoutPicture }) };
        });
      } catch (error) {
        // Interrupted: the claim and the journal stay for the next process.
        if (lease.aborted || error instanceof OperationLost || isDatabaseAway(error)) throw error;
        return failed(error);
      }
      const place = connection ?? (await connectionOf(deps, draft).catch(() => null));
      const { url, warnings, withoutPicture } = sent;
      const arrived = withoutPicture ? await stage('bare', () => bare(draft)) : null;
      const publicationId = await stage('noted', () =>
        notePublication(toPublication(key, { ...draft, ...arrived?.post }, place, url, 'success')),
      );
      await drafts.settle(draftId, key);
      if (place && place.status !== 'active') await connections.note(place.id, { status: 'active' });
      const told = [...warnings, ...(arrived?.told ?? [])];
      const returned = arrived && { returned: arrived.returned };
      return { outcome: 'sent', publicationId, url, warnings: told, ...returned };

      /** E34: what did not arrive is not paid for. */
      async function bare(whole: StoredPost) {
        const { returned, tokens } = await deps.returnPicture(whole);
        const told = returned > 0 ? [`${tokensReturned(returned)}: пост без картинки.`] : [];
        return { returned, told, post: { tokens, images: [] } };
      }

      async function sendThrough(
        publisher: PostPublisher,
        place: Connection,
        { html: text, title, images: [image], details, keyword }: StoredPost,
      ): Promise<PublishAnswer> {
        const credentials = await connections.credentials(userId, place.id);
        const picture = image ? await deps.readPicture(image.storage_path) : null;
        if (image && !picture) log.warn({ draft: draftId }, 'the picture of a post is gone');
        const delivery = await publisher.publish(
          place,
          credentials,
          { text, title, link: details.link, alt: image?.alt ?? keyword, picture },
          {
            ...{ idempotencyKey: key, userId },
            signal: lease,
            progress: journal.progress,
            onProgress: journal.onProgress,
            async beforeCall() {
              await drafts.aim(draftId, key, place);
              await journal.beforeCall();
            },
          },
        );
        return image && !picture ? { ...delivery, withoutPicture: true } : delivery;
      }

      /** The platform certainly has nothing of it: a draft again, with the reason. Or it may have it: unknown. */
      async function failed(error: unknown): Promise<PostOutcome> {
        const isCertain = error instanceof DeliveryFailed;
        if (isCertain) await journal.refused();
        const isLost = error instanceof AnswerLost || (!isCertain && journal.isLost());
        const isBare = error instanceof AnswerLost && error.withoutPicture;
        const arrived = isBare ? await bare(draft!) : null;
        if (isLost)
          await notePublication(
            toPublication(key, { ...draft!, ...arrived?.post }, connection, null, 'unknown'),
          );
        const released = await drafts.release(draftId, key, isLost ? null : draft!.details.place, isLost);
        if (!released && !isLost) await drafts.refundDeleted(draft!);
        if (isLost) {
          log.warn({ err: error, publication: key }, 'it is unknown whether a post went out');
          const message = error instanceof AnswerLost ? error.message : CALL_LOST;
          const said = [message, ...(arrived?.told ?? [])].join(' ');
          return { outcome: 'unknown', lost: released?.lost ?? 1, message: said };
        }
        if (!(isCertain && error.report.scope === 'channel')) throw error;
        // The connection's page should show why nothing arrives there.
        if (connection)
          await connections.note(connection.id, {
            status: 'error',
            metadata: { lastError: error.userMessage },
          });
        throw new ChannelRefused(error);
      }
    });

class AnswerLost extends Error {
  override readonly name = 'AnswerLost';
  readonly withoutPicture: boolean;
  constructor(message: string, withoutPicture = false) {
    super(message);
    this.withoutPicture = withoutPicture;
  }
}

/** Its own; or the same channel connected anew. */
async function connectionOf<Tx>(
  { connections }: Deps<Tx>,
  { id, userId, projectId, connectionId, details }: StoredPost,
): Promise<Connection> {
  const all = (await connections.list(userId, projectId)) ?? [];
  const found =
    all.find((one) => one.id === connectionId) ??
    all.find(({ platform, identifier }) => platform === details.platform && identifier === details.place);
  if (!found) throw new ChannelGone(`draft ${id} is for ${details.place}, which is not connected`);
  return found;
}

function publisherOf<Tx>({ publishers }: Deps<Tx>, connection: Connection): PostPublisher {
  const publisher = publishers[connection.platform as PostPlatform];
  if (publisher === undefined)
    throw new TypeError(`Expected a platform that takes posts, got ${connection.platform}`);
  if (publisher === null) throw new PlatformOff(platformTitle(connection.platform));
  return publisher;
}

function toPublication(
  key: string,
  draft: StoredPost,
  connection: Connection | null,
  url: string | null,
  status: NewPublication['status'],
): NewPublication {
  const { userId, projectId, categoryId, connectionId, keyword, words, images, tokens, details } = draft;
  return {
    ...{ key, userId, projectId, categoryId, keyword, url, words, tokens, status },
    connectionId: connection?.id ?? connectionId,
    platform: details.platform,
    contentType: details.crossOf === undefined ? 'social_post' : 'cross_post',
    images: images.length,
    model: details.modelUsed,
    promptVersion: details.promptVersion,
    generationTimeMs: details.generationTimeMs,
    contentHash: details.contentHash,
  };
}
