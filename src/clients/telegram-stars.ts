import { type Api, GrammyError, HttpError } from 'grammy';
import { SUBSCRIPTION_SECONDS } from '../catalogue.ts';
import { SupplierFailed } from './http/supplier.ts';

type Bill = { title: string; description: string; payload: string; stars: number };

/** The calls of the Bot API that move or stop Stars. */
export const makeTelegramStars = (
  api: Pick<Api, 'createInvoiceLink' | 'editUserStarSubscription' | 'refundStarPayment'>,
) => ({
  subscriptionLink: ({ title, description, payload, stars }: Bill): Promise<string> =>
    asSupplier(
      api.createInvoiceLink(title, description, payload, '', 'XTR', [{ label: title, amount: stars }], {
        subscription_period: SUBSCRIPTION_SECONDS,
      }),
    ),

  async setRenewal(userId: number, subscriptionId: string, isOn: boolean): Promise<void> {
    await asSupplier(api.editUserStarSubscription(userId, subscriptionId, !isOn));
  },

  /** Resolves also when the charge was given back before: a repeated request finds that. */
  async refund(userId: number, chargeId: string): Promise<void> {
    try {
      await api.refundStarPayment(userId, chargeId);
    } catch (error) {
      if (error instanceof GrammyError && error.description.includes('CHARGE_ALREADY_REFUNDED')) return;
      throw failureOf(error);
    }
  },
});

async function asSupplier<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    throw failureOf(error);
  }
}

/** As a supplier of ours, so that those who ask for money need not know which of them did not answer. */
function failureOf(error: unknown): unknown {
  if (error instanceof GrammyError)
    return new SupplierFailed('Telegram', error.description, {
      status: error.error_code,
      retryAfter: error.parameters.retry_after ?? null,
      cause: error,
    });
  return error instanceof HttpError
    ? new SupplierFailed('Telegram', 'was not reached', { cause: error })
    : error;
}
