import { setTimeout as delay } from 'node:timers/promises';
import { type Api, GrammyError } from 'grammy';
import type { UserFromGetMe } from 'grammy/types';
import { BadConfig } from '../../config.ts';
import type { Log } from '../../log.ts';
import { updateTypes } from './adapter.ts';

const LONGEST_PAUSE_MS = 30_000;

export type BotCommand = { command: string; description: string };

const usualCommands: readonly BotCommand[] = [
  { command: 'start', description: 'Главное меню' },
  { command: 'help', description: 'Справка' },
  { command: 'cancel', description: 'Отменить текущее действие' },
  { command: 'paysupport', description: 'Вопросы об оплате' },
  { command: 'terms', description: 'Условия' },
];

/**
 * Introduces the bot to Telegram and says how it wants its updates. Waits for a Telegram that is not there yet;
 * null when the process was asked to stop meanwhile.
 */
export async function prepareTelegram(
  api: Api,
  webhook: { url: string; secret: string } | null,
  log: Log,
  { stopping, commands = [] }: { stopping?: AbortSignal; commands?: readonly BotCommand[] } = {},
): Promise<UserFromGetMe | null> {
  for (let pause = 1_000; !stopping?.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      const me = await api.getMe(stopping as unknown as Parameters<typeof api.getMe>[0]);
      if (webhook) {
        const { url, secret } = webhook;
        await api.setWebhook(url, { secret_token: secret, allowed_updates: [...updateTypes] });
      }
      await nicety(() => api.setMyCommands([...usualCommands, ...commands]));
      // A webhook that is still set answers every poll with a conflict, which the log tells soon enough.
      if (!webhook) await nicety(() => api.deleteWebhook());
      return me;
    } catch (error) {
      if (isUnknownToken(error)) {
        throw new BadConfig(`TELEGRAM_BOT_TOKEN: Telegram does not know this token (${error.description})`);
      }
      if (webhook && isRefusedWebhook(error)) {
        const why = `Telegram does not take ${webhook.url} as a webhook (${error.description})`;
        throw new BadConfig(`PUBLIC_URL: ${why}`);
      }
      log.warn({ err: error }, `Telegram does not answer, trying again in ${pause / 1000} s`);
      await delay(pause, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
  return null;

  async function nicety(call: () => Promise<unknown>): Promise<void> {
    await call().catch((error) => log.warn({ err: error }, 'Telegram did not take an introduction'));
  }
}

/** Not Found is Telegram's word for a token that never was one, Unauthorized for one that was taken back. */
const isUnknownToken = (error: unknown): error is GrammyError =>
  error instanceof GrammyError &&
  error.method === 'getMe' &&
  (error.error_code === 401 || error.error_code === 404);

/** Not https, a port of its own, a name that leads nowhere: Telegram says which. */
const isRefusedWebhook = (error: unknown): error is GrammyError =>
  error instanceof GrammyError && error.method === 'setWebhook' && error.error_code === 400;
