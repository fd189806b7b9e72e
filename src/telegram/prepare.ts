import { setTimeout as delay } from 'node:timers/promises';
import type { Bot } from 'grammy';
import type { Log } from '../log.ts';
import { updateTypes } from './create-bot.ts';

const LONGEST_PAUSE_MS = 30_000;

const commands = [
  { command: 'start', description: 'Главное меню' },
  { command: 'help', description: 'Справка' },
  { command: 'cancel', description: 'Отменить текущее действие' },
];

/** Introduces the bot to Telegram and says how it wants its updates. Waits for a Telegram that is not there yet. */
export async function prepareTelegram(
  bot: Bot,
  webhook: { url: string; secret: string } | null,
  log: Log,
): Promise<void> {
  for (let pause = 1_000; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      await bot.init();
      await bot.api.setMyCommands(commands);
      if (webhook) {
        const { url, secret } = webhook;
        await bot.api.setWebhook(url, { secret_token: secret, allowed_updates: [...updateTypes] });
      } else await bot.api.deleteWebhook();
      return;
    } catch (error) {
      log.warn({ err: error }, `Telegram does not answer, trying again in ${pause / 1000} s`);
      await delay(pause);
    }
  }
}
