import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { CHOICE_LETTERS, MOST_CHOICES } from '../../../machines/fragments/connection-slice.ts';
import type {
  OfferConsentInput,
  PinterestConsent,
  PinterestGrant,
  TakeConsentInput,
} from '../../../machines/fragments/pinterest-questions.ts';
import type { KeyValueStore } from '../../engine/key-value-store.ts';
import { AppError, DeliveryFailed } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Pinterest, PinterestTokens } from './client.ts';
import { asPinterestFailure } from './failures.ts';

export const CONSENT_PATH = '/api/auth/pinterest';

/** `forged` covers whatever does not fit to a link of ours that still waits: changed, used before, or too late. */
type ConsentOutcome = { outcome: 'granted'; nonce: string } | { outcome: 'refused' | 'forged' | 'failed' };

class ConsentOver extends AppError {
  readonly code = 'CONSENT_OVER';
  readonly userMessage =
    'Вход в Pinterest не завершён или занял больше 30 минут, поэтому доступа нет. Начните подключение ещё раз.';
}

type Deps = {
  store: Pick<KeyValueStore, 'get' | 'set' | 'take'>;
  /** Makes tokens unreadable for all but the run that asked. */
  seal(run: string, tokens: PinterestTokens): string;
  open(run: string, sealed: string): PinterestTokens;
  pinterest: Pick<Pinterest, 'authorizationLink' | 'exchange' | 'boards'>;
  /** The first one signs, all of them are believed. */
  keys: readonly string[];
  /** Where browsers find us, without a slash at the end. */
  publicUrl: string;
  /** Lets the dialogue that asked know: nothing came of it. */
  onRefused(refused: { userId: number; run: string; nonce: string; reason: string }): Promise<void>;
  log: Log;
};

export type Consents = ReturnType<typeof createConsents>;

const WAITS_SECONDS = 30 * 60;
const NONCE_BYTES = 16;
const isNonce = /^[0-9a-f]{32}$/u;
const isState = /^(?<userId>\d{1,15})_(?<nonce>[0-9a-f]{32})_(?<signature>[0-9a-f]{64})$/u;

const asked = z.object({ userId: z.number(), run: z.string() });
const granted = z.object({ userId: z.number(), sealed: z.string() });

/**
 * The sign-in at Pinterest. A link is good for one answer, for half an hour and for one person: the answer is kept
 * sealed for the dialogue that asked, and that dialogue takes it only when the same person comes back to the bot with
 * the link that their browser was given. So a link sent to somebody else brings the sender nothing.
 */
export function createConsents({ store, seal, open, pinterest, keys, publicUrl, onRefused, log }: Deps) {
  const redirectUri = `${publicUrl}${CONSENT_PATH}/callback`;
  return { offer, begin, receive, take };

  async function offer({ run, userId }: OfferConsentInput): Promise<PinterestConsent> {
    const nonce = randomBytes(NONCE_BYTES).toString('hex');
    await store.set(askedKey(nonce), JSON.stringify({ userId, run }), WAITS_SECONDS);
    return { nonce, link: `${publicUrl}${CONSENT_PATH}?user_id=${userId}&nonce=${nonce}` };
  }

  /** Pinterest's own page; null when the link is not one of ours, or its time is over. */
  async function begin(userId: string, nonce: string): Promise<string | null> {
    const waiting = await waitingFor(nonce);
    if (!waiting || String(waiting.userId) !== userId) return null;
    const state = `${userId}_${nonce}_${sign(keys[0]!, userId, nonce)}`;
    return pinterest.authorizationLink({ redirectUri, state });
  }

  /** What a browser brought from Pinterest. */
  async function receive(
    answer: { state: string; code: string | null; error: string | null },
    signal?: AbortSignal,
  ): Promise<ConsentOutcome> {
    const { userId = '', nonce = '', signature = '' } = isState.exec(answer.state)?.groups ?? {};
    if (!keys.some((key) => isSame(sign(key, userId, nonce), signature))) return { outcome: 'forged' };
    // Taken, not read: of two answers with the same state only one counts.
    const kept = await store.take(askedKey(nonce));
    if (kept === null) return { outcome: 'forged' };
    const { run } = asked.parse(JSON.parse(kept));
    const person = Number(userId);
    if (!answer.code) {
      await onRefused({ userId: person, run, nonce, reason: reasonOf(answer.error) });
      return { outcome: 'refused' };
    }
    try {
      const tokens = await pinterest.exchange(answer.code, redirectUri, signal);
      const grant = { userId: person, sealed: seal(run, tokens) };
      await store.set(grantedKey(nonce), JSON.stringify(grant), WAITS_SECONDS);
      return { outcome: 'granted', nonce };
    } catch (error) {
      log.warn({ err: error, user: person }, 'Pinterest gave no token for a code');
      await store.set(askedKey(nonce), kept, WAITS_SECONDS); // the person may open the link again
      return { outcome: 'failed' };
    }
  }

  /** Left in the store until it expires: a dialogue restored after a crash asks again. Sealed, it opens nowhere else. */
  async function take(
    { run, userId, nonce }: TakeConsentInput,
    signal: AbortSignal,
  ): Promise<PinterestGrant> {
    const kept = await store.get(grantedKey(nonce));
    const grant = kept === null ? null : granted.parse(JSON.parse(kept));
    if (grant?.userId !== userId) throw new ConsentOver('Pinterest has sent nothing, or it expired');
    const { accessToken } = open(run, grant.sealed);
    const boards = await pinterest.boards(accessToken, signal).catch((error: unknown) => {
      const failure = asPinterestFailure(error);
      const isOver = failure instanceof DeliveryFailed && failure.report.code === '401';
      throw isOver ? new ConsentOver('Pinterest took the access back') : failure;
    });
    return {
      sealed: grant.sealed,
      boards: boards
        .slice(0, MOST_CHOICES)
        .map(({ id, name }) => ({ id, name: name.slice(0, CHOICE_LETTERS) })),
    };
  }

  async function waitingFor(nonce: string): Promise<z.infer<typeof asked> | null> {
    const kept = isNonce.test(nonce) ? await store.get(askedKey(nonce)) : null;
    return kept === null ? null : asked.parse(JSON.parse(kept));
  }
}

/** The OAuth state is signed for this person and cannot be forged. */
const sign = (key: string, userId: string, nonce: string): string =>
  createHmac('sha256', key).update(`${userId}${nonce}`).digest('hex');

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const reasonOf = (error: string | null): string =>
  error === 'access_denied'
    ? 'Вы не дали доступ в Pinterest, поэтому ничего не подключено.'
    : 'Pinterest не смог завершить вход. Попробуйте ещё раз.';

const askedKey = (nonce: string): string => `pinterest_req:${nonce}`;
const grantedKey = (nonce: string): string => `pinterest_auth:${nonce}`;
