import type { MessengerChannel } from '../../platforms/messenger/messenger.ts';
import type { ClaimedDelivery } from '../store/claims.ts';
import type { OpenToken } from './open-token.ts';

/** Null: there is no credential for it. */
export type ChannelOf = (delivery: ClaimedDelivery) => Promise<MessengerChannel | null>;

export const makeChannelOf =
  (openToken: OpenToken): ChannelOf =>
  async ({ workspaceId, authRef, platform, targetId, settings }) => {
    const token = await openToken(workspaceId, authRef, platform);
    if (token === null) return null;
    const recipient = settings.recipient === 'user' ? 'user' : 'chat';
    return { platform, targetId, token, settings: { recipient } };
  };
