import type { ConnectTarget } from '../platforms/connect-target.ts';
import { maxAccess } from '../platforms/max/access.ts';
import { makeAwaitChat, makeLearnMax } from '../platforms/max/connect.ts';
import { makeValidateMax } from '../platforms/max/validate.ts';
import { makeConnectChannel } from '../platforms/messenger/connect.ts';
import type { Platform } from '../platforms/platforms.ts';
import { telegramAccess } from '../platforms/telegram/access.ts';
import { makeLearnTelegram } from '../platforms/telegram/connect.ts';
import { makeValidateTelegram } from '../platforms/telegram/validate.ts';
import type { Validator } from '../platforms/wordpress/check-connection.ts';
import type { Channels } from './channels.ts';

type Ground = {
  channels: Channels;
  connectTarget: ConnectTarget;
  openSecret(run: string, sealed: string): unknown;
};

/** How channels, walls, boards and chats are connected, and how a connection is checked. */
export function composeConnecting({ channels, connectTarget, openSecret }: Ground) {
  const { telegram, max, ownToken } = channels;
  const validateTelegram = makeValidateTelegram(telegram);
  const validateMax = makeValidateMax(max);
  return {
    validators: {
      telegram: (_, credentials, signal) => validateTelegram(telegramAccess(credentials, ownToken), signal),
      max: (_, credentials, signal) => validateMax(maxAccess(credentials), signal),
    } satisfies Partial<Record<Platform, Validator>>,
    services: {
      connectChannel: makeConnectChannel({
        ...{ connectTarget, openSecret, ownToken },
        learn: {
          telegram: makeLearnTelegram({ telegram, validate: validateTelegram }),
          max: makeLearnMax(validateMax),
        },
      }),
      awaitChat: makeAwaitChat({ max, openSecret }),
    },
  };
}
