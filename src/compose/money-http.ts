import { z } from 'zod';
import type { Config } from '../config.ts';
import type { HttpHandler } from '../http/server.ts';
import { neverAgain, type SignedAnswer, signedCallHandler } from '../http/signed-call.ts';
import { yookassaWebhookHandler } from '../http/yookassa-webhook.ts';
import type { Log } from '../log.ts';
import type { App } from './app.ts';

const renewal = z.object({ user_id: z.number().int(), payment_method_id: z.string(), package: z.string() });

/** What the provider of card payments reports, and the scheduler's call to renew a subscription. */
export function moneyHandlers({
  app: { money, scheduleCalls },
  config,
  log,
}: {
  app: Pick<App, 'money' | 'scheduleCalls'>;
  config: Pick<Config, 'trustedProxyHops'>;
  log: Log;
}): HttpHandler[] {
  const { cards, payments, senders } = money;
  if (!cards) return [];
  return [
    yookassaWebhookHandler(cards.heard, { senders, trustedHops: config.trustedProxyHops, log }),
    signedCallHandler('/api/yookassa/renew', scheduleCalls.isSigned, ({ body }) => renewed(body), log),
  ];

  /** The subscription as it is now decides, not the call: one that was cancelled meanwhile is left alone. */
  async function renewed(body: unknown): Promise<SignedAnswer> {
    const call = renewal.safeParse(body);
    if (!call.success) return neverAgain('bad payload');
    const subscription = await payments.subscription(call.data.user_id);
    const isMeant =
      subscription?.provider === 'yookassa' &&
      subscription.package === call.data.package &&
      subscription.methodId === call.data.payment_method_id;
    const isDue =
      isMeant && subscription.expiresAt !== null && subscription.expiresAt.getTime() <= Date.now();
    if (!isDue || subscription.subscriptionStatus !== 'active')
      return { status: 200, body: { status: 'skipped', reason: 'nothing to renew' } };
    await cards!.renew(subscription);
    return { status: 200, body: { status: 'ok' } };
  }
}
