import type { Config } from '../config.ts';
import { healthHandler } from '../http/health.ts';
import { houseCallHandlers } from '../http/house-calls.ts';
import { ingestHandler } from '../http/ingest.ts';
import { maxWebhookHandler } from '../http/max-webhook.ts';
import { metricsHandler } from '../http/metrics.ts';
import { picturesHandler } from '../http/pictures.ts';
import { pinterestConsentHandler } from '../http/pinterest-consent.ts';
import { scheduleCallHandlers } from '../http/schedule-calls.ts';
import type { HttpHandler } from '../http/server.ts';
import { webhookHandler } from '../http/webhook.ts';
import { wordPressGrantHandler } from '../http/wordpress-grant.ts';
import type { Log } from '../log.ts';
import { productVersion } from '../product-version.ts';
import type { App } from './app.ts';
import { moneyHandlers } from './money-http.ts';

type Deps = {
  app: App;
  config: Config;
  webhook: { secret: string } | null;
  /** The bot's own page in Telegram, once its name is known. */
  chatUrl(): string | null;
  log: Log;
};

/** Everything the bot answers over HTTP, asked in this order. */
export const httpHandlers = ({ app, config, webhook, chatUrl, log }: Deps): HttpHandler[] => [
  ...(webhook
    ? [webhookHandler(webhook.secret, (update) => app.handleUpdate(update, { takesReply: true }), log)]
    : []),
  healthHandler({
    checkServices: app.checkServices,
    token: config.healthCheckToken,
    version: productVersion,
    busy: app.engine.busy,
    autopost: app.autopost.health,
  }),
  ...(config.metricsToken ? [metricsHandler(config.metricsToken, app.metrics)] : []),
  ingestHandler(app.autopost.ingest, { knows: app.autopost.knowsSecret, log }),
  ...(app.shopBot ? [maxWebhookHandler(app.shopBot.receive, { log })] : []),
  ...moneyHandlers({ app, config, log }),
  ...(app.pictures ? [picturesHandler(app.pictures)] : []),
  ...scheduleCallHandlers({ ...app.scheduleCalls, log }),
  ...houseCallHandlers({ isSigned: app.scheduleCalls.isSigned, work: app.houseWork, log }),
  wordPressGrantHandler(app.receiveGrant, chatUrl),
  ...(app.consents ? [pinterestConsentHandler(app.consents, wayBack(config, chatUrl))] : []),
];

/** Into the chat with `/start <payload>`: Telegram's own link, or the page on which people are played. */
const wayBack =
  ({ telegram, port, publicUrl }: Config, chatUrl: () => string | null) =>
  (payload: string | null): string | null => {
    const chat = chatUrl();
    if (payload === null) return chat;
    if (!telegram.token) return `${publicUrl ?? `http://localhost:${port}`}/?start=${payload}`;
    return chat === null ? null : `tg://resolve?domain=${new URL(chat).pathname.slice(1)}&start=${payload}`;
  };
