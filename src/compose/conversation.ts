import { openTelegramApi } from '../clients/telegram-api.ts';
import type { Config } from '../config.ts';
import { createEngine } from '../engine/engine.ts';
import { createAdapter } from '../messengers/telegram/adapter.ts';
import { createLinkDecoder } from '../messengers/telegram/callback-data.ts';
import { looksLikeSecret } from '../platforms/secret-shapes.ts';
import { personOfTelegram } from '../store/identities.ts';
import { makeIsStoreAway } from '../store/store-away.ts';
import type { Foundation } from './foundation.ts';
import type { composeMenu } from './routes.ts';

type EngineDeps = Parameters<typeof createEngine>[0];
type AdapterDeps = Parameters<typeof createAdapter>[0];

type Ground = Pick<EngineDeps, 'flows' | 'actors' | 'presenter' | 'log' | 'onTransition'> &
  Pick<AdapterDeps, 'replies' | 'happenings' | 'updateTaken' | 'presenter'> & {
    menu: ReturnType<typeof composeMenu>;
    config: Pick<Config, 'engine' | 'adminId'>;
    telegram: { token: string; apiRoot: string };
    foundation: Pick<Foundation, 'sessions' | 'inbox' | 'sealing' | 'checks' | 'users' | 'isFirstToTell'>;
  };

// Longer than a long poll: behind a wire that died without a word, a bot hears nothing for so long.
const SILENCE_SECONDS = 40;

/** People's updates in, decisions and screens out: the engine, and Telegram's adapter before it. */
export function composeConversation(ground: Ground) {
  const { config, telegram, foundation, flows, menu, presenter, log } = ground;
  const { sessions, inbox, sealing, checks, users, isFirstToTell } = foundation;
  const engine = createEngine({
    ...{ flows, menu, presenter, inbox, log, looksLikeSecret },
    store: sessions,
    actors: ground.actors,
    seal: (run, secret) => sealing.seal(`run:${run}`, secret),
    isAway: makeIsStoreAway(checks),
    ...(ground.onTransition && { onTransition: ground.onTransition }),
    settings: config.engine,
    people: {
      async note(person) {
        const { isRecent, role } = await users.remember({ ...person, isAdmin: person.id === config.adminId });
        return { isRecent, isAdmin: role === 'admin' };
      },
    },
  });
  const { token, apiRoot } = telegram;
  const api = openTelegramApi(token, { apiRoot, timeoutSeconds: SILENCE_SECONDS });
  const { replies, happenings, updateTaken } = ground;
  const handleUpdate = createAdapter({
    ...{ api, engine, presenter, replies, happenings, isFirstToTell, log },
    ...(updateTaken && { updateTaken }),
    personOf: personOfTelegram,
    decode: createLinkDecoder([...menu.patterns, ...flows.patterns]),
  });
  return { engine, api, handleUpdate };
}
