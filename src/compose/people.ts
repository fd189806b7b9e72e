import { openTelegramApi } from '../clients/telegram-api.ts';
import { createFetchFile } from '../clients/telegram-files.ts';
import type { Log } from '../log.ts';
import { createFaces } from '../messengers/faces.ts';
import { createReplies } from '../messengers/telegram/replies.ts';
import { createTelegramFace } from '../messengers/telegram/show-screen.ts';
import { createPace } from '../services/notify/pace.ts';
import { makeTellPerson } from '../services/notify/tell-person.ts';
import type { Sql } from '../store/database.ts';
import { makeIdentities } from '../store/identities.ts';
import type { Foundation } from './foundation.ts';

// A screen that Telegram does not take in this time is shown later; the person's lock is not held for it.
const SCREEN_TIMEOUT_SECONDS = 10;

/** How screens and messages reach people, and how their files reach us. */
export function composePeople({
  telegram,
  sql,
  users,
  log,
}: {
  telegram: { token: string; apiRoot: string };
  sql: Sql;
  users: Foundation['users'];
  log: Log;
}) {
  const { token, apiRoot } = telegram;
  const screens = openTelegramApi(token, { apiRoot, timeoutSeconds: SCREEN_TIMEOUT_SECONDS });
  const replies = createReplies();
  const presenter = createFaces(
    { telegram: createTelegramFace(screens, log, replies) },
    makeIdentities(sql).addressOf,
  );
  return {
    screens,
    replies,
    presenter,
    // The one way to files that people send, for services behind ports and for pages that ask.
    fetchFile: createFetchFile(screens, telegram),
    tellPerson: makeTellPerson({
      listens: users.listens,
      setBlocked: users.setBlocked,
      presenter,
      pace: createPace(),
      log,
    }),
  };
}
