import { setTimeout as sleep } from 'node:timers/promises';
import type { AwaitChatInput, FoundChat } from '../../../machines/fragments/messenger-questions.ts';
import { ApiRefused } from '../../clients/http/api-refused.ts';
import { AppError } from '../../errors.ts';
import { channelRefused } from '../failure-table.ts';
import { type LearnChannel, orTokenRefused } from '../messenger/connect.ts';
import { asFailure } from '../messenger/failures.ts';
import type { MessengerChannel } from '../messenger/messenger.ts';
import type { Max } from './client.ts';
import type { MaxFacts } from './validate.ts';

/** What a chat of MAX tells of itself, once it is sure that the bot may write there. */
export const makeLearnMax =
  (validate: (channel: MessengerChannel, signal?: AbortSignal) => Promise<MaxFacts>): LearnChannel =>
  async (channel, _, signal) => {
    const { identifier, title, kind, link, botName } = await validate(channel, signal);
    return {
      identifier,
      credentials: { chat_id: identifier },
      metadata: { title: title || identifier, kind, botName, ...(link && { url: link }) },
    };
  };

class ChatNotFound extends AppError {
  readonly code = 'CHAT_NOT_FOUND';
  readonly userMessage =
    'За десять минут бота ни в один чат не добавили. Добавьте его в чат или канал MAX администратором и нажмите «Проверить снова», или пришлите номер чата.';
  override readonly retryable = true;
}

type Deps = {
  max: Pick<Max, 'me' | 'chat' | 'added'>;
  openSecret(run: string, sealed: string): unknown;
  patienceMs?: number;
  /** How long MAX holds one question open. */
  pollSeconds?: number;
};

const PATIENCE_MS = 10 * 60_000;
const POLL_SECONDS = 25;
/** Long polling is limited to two questions a second. */
const GAP_MS = 600;

/** MAX delivers updates either to a webhook or to long polling. */
const hasWebhook = () =>
  channelRefused(
    'has_webhook',
    'Этот бот уже получает события по вебхуку, поэтому найти чат за вас не получится. Пришлите номер чата.',
  );

/**
 * MAX has no list of a bot's chats, so a chat of unknown number is found when the bot is added to it. What
 * happened in the last day counts as well: many people add the bot before they are asked to.
 */
export const makeAwaitChat =
  ({ max, openSecret, patienceMs = PATIENCE_MS, pollSeconds = POLL_SECONDS }: Deps) =>
  async ({ run, sealed }: AwaitChatInput, signal: AbortSignal): Promise<FoundChat> => {
    const token = String(openSecret(run, sealed)).trim();
    const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    let marker: number | null = null;
    try {
      await max.me(token, patience); // a wrong token is told at once
      for (;;) {
        const news: Awaited<ReturnType<Max['added']>> = await max.added(
          token,
          { marker, seconds: pollSeconds },
          patience,
        );
        const chatId = news.chatIds.at(-1);
        if (chatId !== undefined) return { target: chatId, title: await titleOf(token, chatId) };
        marker = news.marker;
        await sleep(GAP_MS, undefined, { signal: patience });
      }
    } catch (error) {
      signal.throwIfAborted();
      if (patience.aborted) throw new ChatNotFound('the bot was added to no chat in time');
      if (error instanceof ApiRefused && error.status === 405) throw hasWebhook();
      throw orTokenRefused('max', asFailure('max', error));
    }

    async function titleOf(bot: string, chatId: string): Promise<string | null> {
      return (await max.chat(bot, chatId, signal)).title ?? null;
    }
  };
