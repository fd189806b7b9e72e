import type { Injection } from '../engine/engine.ts';
import type { KeyValueStore } from '../engine/key-value-store.ts';
import { PlatformOff } from '../errors.ts';
import type { Log } from '../log.ts';
import type { ConnectTarget } from '../platforms/connect-target.ts';
import { maxAccess } from '../platforms/max/access.ts';
import { makeAwaitChat, makeLearnMax } from '../platforms/max/connect.ts';
import { makeValidateMax } from '../platforms/max/validate.ts';
import { makeConnectChannel } from '../platforms/messenger/connect.ts';
import type { PinterestTokens } from '../platforms/pinterest/client.ts';
import { makeConnectPinterest, validatePinterest } from '../platforms/pinterest/connect.ts';
import { createConsents } from '../platforms/pinterest/consents.ts';
import { type PostPlatform, platformTitle, postPlatforms } from '../platforms/platforms.ts';
import { telegramAccess } from '../platforms/telegram/access.ts';
import { makeLearnTelegram } from '../platforms/telegram/connect.ts';
import { makeValidateTelegram } from '../platforms/telegram/validate.ts';
import { vkAccess } from '../platforms/vk/access.ts';
import { makeConnectVk, makeReadVkKey, validateVk } from '../platforms/vk/connect.ts';
import type { Validator } from '../platforms/wordpress/check-connection.ts';
import type { Channels } from './channels.ts';

type Ground = {
  channels: Channels;
  connectTarget: ConnectTarget;
  openSecret(run: string, sealed: string): unknown;
  sealSecret(run: string, secret: unknown): string;
  keyValues: KeyValueStore;
  keys: readonly string[];
  /** Where browsers find us; null: nowhere, and nothing that needs one is offered. */
  publicUrl: string | null;
  inject(injection: Injection): Promise<void>;
  log: Log;
};

/** How channels, walls, boards and chats are connected, and how a connection is checked. */
export function composeConnecting(ground: Ground) {
  const messengers = composeMessengers(ground);
  const vk = composeVk(ground);
  const pinterest = composePinterest(ground);
  /** A new platform does not compile until it is here. Null: it is switched off for want of settings. */
  const validators: Record<PostPlatform, Validator | null> = {
    ...messengers.validators,
    vk: vk?.validate ?? null,
    pinterest: pinterest?.validate ?? null,
  };
  return {
    validators,
    services: {
      ...messengers.services,
      ...(vk?.services ?? off('vk', 'readVkKey', 'connectVk')),
      ...(pinterest?.services ?? off('pinterest', 'offerConsent', 'takeConsent', 'connectPinterest')),
    },
    consents: pinterest?.consents ?? null,
    unavailable: postPlatforms.filter((platform) => validators[platform] === null),
  };
}

function composeMessengers({ channels, connectTarget, openSecret }: Ground) {
  const { telegram, max, ownToken } = channels;
  const validateTelegram = makeValidateTelegram(telegram);
  const validateMax = makeValidateMax(max);
  const validators: Record<'telegram' | 'max', Validator> = {
    telegram: (_, credentials, signal) => validateTelegram(telegramAccess(credentials, ownToken), signal),
    max: (_, credentials, signal) => validateMax(maxAccess(credentials), signal),
  };
  return {
    validators,
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

function composeVk({ channels: { vk }, connectTarget, openSecret }: Ground) {
  if (!vk) return null;
  const validate: Validator = (_, credentials, signal) => validateVk(vk, vkAccess(credentials), signal);
  return {
    validate,
    services: {
      readVkKey: makeReadVkKey({ vk, openSecret }),
      connectVk: makeConnectVk({ vk, openSecret, connectTarget }),
    },
  };
}

function composePinterest(ground: Ground) {
  const { channels, connectTarget, openSecret, sealSecret, publicUrl, keyValues, keys, inject, log } = ground;
  if (!channels.pinterest || publicUrl === null) return null;
  const { client, access } = channels.pinterest;
  const open = (run: string, sealed: string) => openSecret(run, sealed) as PinterestTokens;
  const consents = createConsents({
    ...{ store: keyValues, seal: sealSecret, open, pinterest: client, keys, publicUrl, log },
    onRefused: ({ userId, run, nonce, reason }) =>
      inject({
        person: userId,
        run: { flow: 'ConnectPinterest', run },
        event: { type: 'access.refused', nonce, reason },
        id: `pinterest-refused:${nonce}`,
      }).catch((error) => log.warn({ err: error, user: userId }, 'a dialogue was not told of a refusal')),
  });
  const validate: Validator = async ({ id, userId }, _, signal) =>
    validatePinterest(client, await access({ userId, connectionId: id }, signal), signal);
  return {
    consents,
    validate,
    services: {
      offerConsent: consents.offer,
      takeConsent: consents.take,
      connectPinterest: makeConnectPinterest({ pinterest: client, connectTarget, open }),
    },
  };
}

/** Its button is left out; a dialogue that was begun before the restart ends with a word. */
const off = <const Port extends string>(platform: PostPlatform, ...ports: Port[]) =>
  Object.fromEntries(
    ports.map((port) => [port, () => Promise.reject(new PlatformOff(platformTitle(platform)))]),
  ) as unknown as Record<Port, () => Promise<never>>;
