import { DeliveryFailed } from '../../errors.ts';
import type { MessengerChannel } from '../../platforms/messenger/messenger.ts';
import type { ChannelPlatform } from '../../platforms/platforms.ts';
import type { ClaimedDelivery } from '../store/claims.ts';
import type { NormalizedError } from '../store/delivery.ts';
import type { ChannelOf } from './channel-of.ts';
import { failed } from './outcome.ts';

type Deps = {
  channelOf: ChannelOf;
  adapters: Readonly<
    Record<ChannelPlatform, { reach(channel: MessengerChannel, signal?: AbortSignal): Promise<void> }>
  >;
};

export type FindOutage = (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<NormalizedError | null>;

/**
 * Whether the delivery's platform is still away; null: it answers. A refusal is an answer too, and so is whatever goes
 * wrong on our side: the send itself will say what it means.
 */
export function makeFindOutage({ channelOf, adapters }: Deps): FindOutage {
  return async (delivery, signal) => {
    try {
      const channel = await channelOf(delivery);
      if (channel) await adapters[delivery.platform].reach(channel, signal);
      return null;
    } catch (error) {
      if (!(error instanceof DeliveryFailed) || error.report.scope !== 'platform') return null;
      const outcome = failed(error.report);
      return outcome.kind === 'retry' ? outcome.error : null;
    }
  };
}
