import PQueue from 'p-queue';
import type { KeepTrying } from '../autopost/queue/keep-trying.ts';
import type { OpenToken } from '../autopost/queue/open-token.ts';
import { DeliveryFailed, type FailureReport } from '../errors.ts';
import type { Log } from '../log.ts';
import type { MaxAdapter } from '../platforms/max/publish.ts';
import { createPace, type Pace } from '../services/notify/pace.ts';
import { keyboardOf } from './compose-answers.ts';
import { gather } from './gather.ts';
import type { AnswerResult, AnswerToSend, Outbox } from './store/outbox.ts';

type Deps = {
  outbox: Pick<Outbox, 'begin' | 'note' | 'claim'>;
  max: Pick<MaxAdapter, 'sendText' | 'sendMedia'>;
  openToken: OpenToken;
  keepTrying: KeepTrying;
  log: Log;
  /** Ends the calls that are being made. */
  signal: AbortSignal;
  concurrency?: number;
  /** Of one bot, in this process. */
  callsPerSecond?: number;
  chatGapMs?: number;
};

export type Sender = ReturnType<typeof makeSender>;

/** A refusal is tried again after 2, 4, 8, 16 and 32 s: a later answer is of no use. */
const MOST_ATTEMPTS = 6;
const FIRST_WAIT_MS = 2_000;
const AT_ONCE = 100;
const LOOK_AGAIN_MS = 250;
/** MAX takes 30 calls a second from a bot, and two messages a second in a chat. Two processes that are over it hear 429. */
const CALLS_PER_SECOND = 25;
const CHAT_GAP_MS = 500;
/** An attempt is on record from before it waits here, and its lease is a minute. */
const LONGEST_TURN_MS = 5_000;

/**
 * Sends answers through the MAX adapter of all the product, each at most once: the attempt is on record before the call,
 * and a call whose answer was lost is `unknown`. One chat's answers go one after another, by the order of the outbox.
 */
export function makeSender(deps: Deps) {
  const { outbox, max, openToken, keepTrying, log, signal, concurrency = 50 } = deps;
  const { callsPerSecond = CALLS_PER_SECOND, chatGapMs = CHAT_GAP_MS } = deps;
  const calls = new PQueue({ concurrency });
  const paces = new Map<string, Pace<string>>(); // by workspace: each has a bot of its own
  const coolUntil = new Map<string, number>(); // by workspace: MAX asked the whole bot to wait
  const leaving = new AbortController();
  const running = new Set<Promise<void>>();
  const begin = gather(async (ids: number[]) => {
    const begun = await outbox.begin(ids);
    return ids.map((id) => begun.has(id));
  });
  const note = gather(async (results: AnswerResult[]) => {
    sendBegun(await keepTrying('a result', () => outbox.note(results)));
    return results;
  });
  const claim = gather(async (asked: null[]) => {
    sendBegun(await outbox.claim(AT_ONCE));
    return asked;
  });
  return { send, sendBegun, sendDue: () => track(claim(null)), finish };

  /** Queued ones, fresh from their decision. What cannot be begun now stays queued: the sweep finds it. */
  function send(answers: readonly AnswerToSend[]): void {
    for (const answer of answers) track(inPace(answer));
  }

  async function inPace(answer: AnswerToSend): Promise<void> {
    try {
      await turnOf(answer, leaving.signal);
    } catch {
      return; // the process is stopping: nothing was tried, so another one may send it
    }
    await calls.add(async () => {
      if (await begin(answer.id)) await attempt({ ...answer, attempts: answer.attempts + 1 });
      else lookAgain();
    });
  }

  function paceOf(workspaceId: string): Pace<string> {
    const pace = paces.get(workspaceId) ?? createPace<string>({ perSecond: callsPerSecond, chatGapMs });
    paces.set(workspaceId, pace);
    return pace;
  }

  function turnOf({ workspaceId, payload: { to } }: AnswerToSend, until?: AbortSignal): Promise<void> {
    return paceOf(workspaceId).turn('chatId' in to ? to.chatId : `user:${to.userId}`, until);
  }

  /**
   * Behind another answer of its chat, whose note hands this one out. A note that ran while this one was being asked for
   * found its row locked and passed it over: then only a later look finds it before the sweep does.
   */
  function lookAgain(): void {
    setTimeout(() => {
      if (!signal.aborted) track(claim(null));
    }, LOOK_AGAIN_MS).unref();
  }

  /** Their attempt is on record already. */
  function sendBegun(answers: readonly AnswerToSend[]): void {
    for (const answer of answers) track(begun(answer));
  }

  async function begun(answer: AnswerToSend): Promise<void> {
    const waitMs = paceOf(answer.workspaceId).aheadMs();
    if (waitMs > LONGEST_TURN_MS) {
      await note({ id: answer.id, status: 'queued', wait_ms: waitMs });
      return;
    }
    await turnOf(answer);
    await calls.add(() => attempt(answer));
  }

  async function attempt(answer: AnswerToSend): Promise<void> {
    const { id, workspaceId, payload } = answer;
    const result = await call(answer);
    const about = { workspace: workspaceId, answer: id, trace: payload.trace_id, status: result.status };
    if (result.status === 'sent') log.info(about, 'an answer was sent');
    else log.warn({ ...about, error: result.error }, 'an answer was not sent');
    track(note({ ...result, id }).then(() => undefined)); // the slot is free: the note needs none
  }

  async function call({ workspaceId, payload, attempts }: AnswerToSend): Promise<Omit<AnswerResult, 'id'>> {
    const coolMs = (coolUntil.get(workspaceId) ?? 0) - performance.now();
    if (coolMs > 0) return { status: 'queued', wait_ms: coolMs }; // had its turn before MAX said so
    const { text, media, to, auth_ref, trace_id, idempotency_key } = payload;
    try {
      const token = await openToken(workspaceId, auth_ref, 'max');
      if (token === null) return failed({ code: 'auth_missing', message: `no token under "${auth_ref}"` });
      const channel = {
        ...{ platform: 'max' as const, token },
        ...('chatId' in to
          ? { targetId: to.chatId }
          : { targetId: to.userId, settings: { recipient: 'user' as const } }),
      };
      const meta = {
        ...{ parseMode: 'HTML' as const, buttons: keyboardOf(payload.buttons), signal },
        ...{ idempotencyKey: idempotency_key, traceId: trace_id },
      };
      const sent = media
        ? await max.sendMedia(channel, [media], text, meta)
        : await max.sendText(channel, text, meta);
      if (sent.outcome === 'unknown') return { status: 'unknown', error: lost(sent.message) };
      return { status: 'sent', provider_message_id: sent.providerMessageId };
    } catch (error) {
      if (error instanceof DeliveryFailed) return refused(workspaceId, error.report, attempts);
      log.error({ err: error }, 'an answer ended in an error of our own');
      return { status: 'unknown', error: lost(error instanceof Error ? error.message : String(error)) };
    }
  }

  function refused(workspaceId: string, report: FailureReport, attempts: number): Omit<AnswerResult, 'id'> {
    const { category, scope, code, message, retryAfterMs } = report;
    const error = { category, scope, code, message };
    if (category === 'PERMANENT' || attempts >= MOST_ATTEMPTS) return { status: 'failed', error };
    const waitMs = retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempts - 1) * (1 + Math.random() / 4);
    if (code === '429') {
      coolUntil.set(workspaceId, performance.now() + waitMs);
      paceOf(workspaceId).rest(waitMs);
    }
    return { status: 'queued', error, wait_ms: waitMs };
  }

  function track(work: Promise<unknown>): void {
    const settled = work
      .then(() => undefined)
      .catch((error: unknown) => log.error({ err: error }, 'an answer was left to the sweep'))
      .finally(() => running.delete(settled));
    running.add(settled);
  }

  /** Everything begun comes to its end; what waits for its turn is left to other processes. */
  async function finish(): Promise<void> {
    leaving.abort();
    while (running.size > 0) await Promise.allSettled(running);
  }
}

const failed = ({ code, message }: { code: string; message: string }): Omit<AnswerResult, 'id'> => ({
  status: 'failed',
  error: { category: 'PERMANENT', scope: 'channel', code, message },
});

const lost = (message: string) => ({
  category: 'TRANSIENT',
  scope: 'delivery',
  code: 'answer_lost',
  message,
});
