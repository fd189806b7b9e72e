import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Grant, ReachedSite, TakeGrantInput } from '../../../machines/fragments/wordpress-questions.ts';
import type { KeyValueStore } from '../../engine/key-value-store.ts';
import { AppError } from '../../errors.ts';
import { authorizationLink } from './publish.ts';
import { siteHost } from './site-identifier.ts';

export const GRANT_PATH = '/api/auth/wordpress';

export type GrantAnswer = {
  state: string;
  siteUrl: string | null;
  login: string | null;
  password: string | null;
};
export type GrantOutcome = 'granted' | 'declined' | 'expired';

class GrantNotThere extends AppError {
  readonly code = 'GRANT_NOT_THERE';
  readonly userMessage =
    'Разрешение с сайта пока не пришло. Откройте сайт кнопкой, подтвердите доступ и нажмите «Я разрешил» ещё раз. Или пришлите логин.';
  override readonly retryable = true;
}

type Deps = {
  store: Pick<KeyValueStore, 'get' | 'set' | 'take'>;
  seal(run: string, secret: string): string;
  /** Lets the dialogue that asked go on by itself. */
  onGranted(granted: { userId: number; run: string; nonce: string }): Promise<void>;
  /** Where browsers find us, without a slash at the end; null: nowhere, and nothing is offered. */
  publicUrl: string | null;
};

export type Grants = ReturnType<typeof createGrants>;

const APP_NAME = 'SEO Master';
const WAITS_SECONDS = 30 * 60;
const NONCE_BYTES = 18;
const isNonce = /^[\w-]{24}$/u;
// Longer than WordPress makes them. What a stranger's site says becomes a button, and Telegram refuses a bad one.
const LONGEST_ADDRESS = 500;

const asked = z.object({ userId: z.number(), run: z.string(), host: z.string() });
const granted = z.object({ userId: z.number(), login: z.string(), sealed: z.string() });

/**
 * WordPress's own way to give out an application password: the person confirms on their site, and it sends them to us
 * with a login and a password. The state in the address is a nonce that only our store can tell anything about, good
 * for one answer; the password is sealed for the dialogue that asked before it is kept.
 */
export function createGrants({ store, seal, onGranted, publicUrl }: Deps) {
  return { offer, receive, take };

  async function offer(
    { identifier, authorizationUrl }: { identifier: string; authorizationUrl: string | null },
    { run, userId }: { run: string; userId: number },
  ): Promise<ReachedSite['authorization']> {
    const host = siteHost(`https://${identifier}`);
    if (publicUrl === null || !authorizationUrl || !isPageOf(host, authorizationUrl)) return null;
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    await store.set(askedKey(nonce), JSON.stringify({ userId, run, host }), WAITS_SECONDS);
    const back = `${publicUrl}${GRANT_PATH}/callback?state=${nonce}`;
    const link = authorizationLink(authorizationUrl, {
      appName: APP_NAME,
      successUrl: back,
      rejectUrl: back,
    });
    return { link, nonce };
  }

  /** What a browser brought. Nothing in it is believed but what fits to what we asked; only a grant uses the state up. */
  async function receive({ state, siteUrl, login, password }: GrantAnswer): Promise<GrantOutcome> {
    const kept = isNonce.test(state) ? await store.get(askedKey(state)) : null;
    if (kept === null) return 'expired';
    const { userId, run, host } = asked.parse(JSON.parse(kept));
    const isFromSite = siteUrl !== null && URL.canParse(siteUrl) && siteHost(siteUrl) === host;
    if (!login || !password || !isFromSite) return 'declined';
    if ((await store.take(askedKey(state))) === null) return 'expired';
    const answer = { userId, login, sealed: seal(run, password) };
    await store.set(grantedKey(state), JSON.stringify(answer), WAITS_SECONDS);
    await onGranted({ userId, run, nonce: state });
    return 'granted';
  }

  /** Left in the store until it expires: a dialogue restored after a crash asks again. Sealed, it opens nowhere else. */
  async function take({ userId, nonce }: TakeGrantInput): Promise<Grant> {
    const kept = await store.get(grantedKey(nonce));
    const answer = kept === null ? null : granted.parse(JSON.parse(kept));
    if (answer?.userId !== userId) throw new GrantNotThere('the site has sent nothing yet');
    return { login: answer.login, sealed: answer.sealed };
  }
}

const askedKey = (nonce: string): string => `wordpress-grant:asked:${nonce}`;
const grantedKey = (nonce: string): string => `wordpress-grant:given:${nonce}`;

function isPageOf(host: string, page: string): boolean {
  if (page.length > LONGEST_ADDRESS || !URL.canParse(page)) return false;
  return /^https?:$/u.test(new URL(page).protocol) && siteHost(page) === host;
}
