import type { MessengerName } from '../../../machines/channel-address.ts';
import type { ConnectChannelInput } from '../../../machines/fragments/messenger-questions.ts';
import { AppError, DeliveryFailed } from '../../errors.ts';
import type { NewConnection } from '../../store/connections.ts';
import type { ConnectTarget } from '../connect-target.ts';
import type { MessengerChannel } from './messenger.ts';

/** What a messenger told of a channel in which the bot may publish; nothing secret. */
type ChannelFacts = { identifier: string; credentials: object; metadata: { title: string } & object };

/** Asks the messenger, changes nothing there; throws DeliveryFailed with the reason why not. */
export type LearnChannel = (
  channel: MessengerChannel,
  /** Set where our own bot publishes: then the person must be an administrator there too. */
  ownerId: number | null,
  signal: AbortSignal,
) => Promise<ChannelFacts>;

/** The bot's token opens nothing: another one is needed, whatever the channel. */
class BotTokenRefused extends AppError {
  readonly code = 'BOT_TOKEN_REFUSED';
  readonly userMessage: string;
  constructor(platform: MessengerName, cause: DeliveryFailed) {
    super(cause.message, { cause });
    this.userMessage = refusals[platform].userMessage;
  }
}

const refusals: Readonly<Record<MessengerName, { codes: readonly string[]; userMessage: string }>> = {
  telegram: {
    codes: ['401', '404'],
    userMessage:
      'Токен невалиден. Получите токен у @BotFather\nTelegram его не принимает: скопируйте токен целиком или выпустите новый.',
  },
  max: {
    codes: ['401', 'verify.token'],
    userMessage: 'MAX не принимает этот токен. Скопируйте его целиком в настройках бота.',
  },
};

/** A refusal of the token itself as such; any other error as it is. */
export const orTokenRefused = (platform: MessengerName, error: unknown): unknown =>
  error instanceof DeliveryFailed && refusals[platform].codes.includes(error.report.code)
    ? new BotTokenRefused(platform, error)
    : error;

type Deps = {
  connectTarget: ConnectTarget;
  openSecret(run: string, sealed: string): unknown;
  /** Of our own bot. */
  ownToken: string;
  learn: Readonly<Record<MessengerName, LearnChannel>>;
};

export const makeConnectChannel =
  ({ connectTarget, openSecret, ownToken, learn }: Deps) =>
  (input: ConnectChannelInput, signal: AbortSignal): Promise<{ connectionId: number }> => {
    const { key, run, userId, projectId, platform, target, sealed } = input;
    const request = { projectId, platform, target, own: sealed === null };
    return connectTarget({ key, userId, request, signal }, async (lease): Promise<NewConnection> => {
      const token = sealed === null ? ownToken : String(openSecret(run, sealed)).trim();
      const channel = { platform, targetId: target, token };
      const facts = await learn[platform](channel, sealed === null ? userId : null, lease).catch(
        (error: unknown) => {
          throw orTokenRefused(platform, error);
        },
      );
      const { identifier, metadata } = facts;
      const credentials = { ...facts.credentials, ...(sealed !== null && { bot_token: token }), identifier };
      return { projectId, platform, identifier, credentials, metadata };
    });
  };
