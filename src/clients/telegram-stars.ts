import { type Api, GrammyError } from 'grammy';
import { SUBSCRIPTION_SECONDS } from '../catalogue.ts';

type Bill = { title: string; description: string; payload: string; stars: number };

/** The calls of the Bot API that move or stop Stars. */
export const makeTelegramStars = (
  api: Pick<Api, 'createInvoiceLink' | 'editUserStarSubscription' | 'refundStarPayment'>,
) => ({
  subscriptionLink: ({ title, description, payload, stars }: Bill): Promise<string> =>
    api.createInvoiceLink(title, description, payload, '', 'XTR', [{ label: title, amount: stars }], {
      subscription_period: SUBSCRIPTION_SECONDS,
    }),

  async setRenewal(userId: number, subscriptionId: string, isOn: boolean): Promise<void> {
    await api.editUserStarSubscription(userId, subscriptionId, !isOn);
  },

  /** Resolves also when the charge was given back before: a repeated request finds that. */
  async refund(userId: number, chargeId: string): Promise<void> {
    try {
      await api.refundStarPayment(userId, chargeId);
    } catch (error) {
      if (error instanceof GrammyError && error.description.includes('CHARGE_ALREADY_REFUNDED')) return;
      throw error;
    }
  },
});
