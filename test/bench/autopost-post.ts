import { createLog } from '../../src/log.ts';
import type { MessengerChannel } from '../../src/platforms/messenger/messenger.ts';
import { createTelegramChannels } from '../../src/platforms/telegram/client.ts';
import { renderForTelegram } from '../../src/platforms/telegram/preflight.ts';
import { makeTelegramAdapter } from '../../src/platforms/telegram/publish.ts';

export const TOKEN = '1000000001:A-TOKEN-THAT-OPENS-NOTHING-AT-ALL';
export const CHANNELS = 500;

/** What every contestant sends: the post of one number, as the adapter is given it. */
export const renderedPost = (number: number) =>
  renderForTelegram({ text: `<b>Post ${number}</b> about windows, doors and balconies`, parseMode: 'HTML' });

export const channelOf = (number: number): MessengerChannel => ({
  platform: 'telegram',
  targetId: `-100${number}`,
  token: TOKEN,
});

/** The same call for everybody: one request to the sink, through the product's own adapter and client. */
export function openAdapter(apiRoot: string) {
  return makeTelegramAdapter({ telegram: createTelegramChannels({ apiRoot }), log: createLog() });
}
