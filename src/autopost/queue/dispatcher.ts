import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Log } from '../../log.ts';
import type { Claims } from '../store/claims.ts';
import type { ChannelPenalty, Results } from '../store/results.ts';
import type { Wake } from '../store/wake.ts';
import { makeAttempts, type UnknownDelivery } from './attempts.ts';
import { makeTurns } from './channel-turns.ts';
import { makeClaimRound } from './claim-round.ts';
import type { Deliver } from './deliver.ts';
import type { FindOutage } from './find-outage.ts';
import { byClaim, makeHand } from './hand.ts';
import { makeHeartbeat } from './heartbeat.ts';
import { makeKeepTrying } from './keep-trying.ts';
import { makeReportOutcome } from './report-outcome.ts';
import { CLAIMED_LEASE_MS, type SweepLeases } from './sweep-leases.ts';

export type DispatcherOptions = {
  /** Dispatchers under one name share one round over the workspaces. */
  name?: string;
  /** Sends at once. */
  concurrency?: number;
  /** The longest time between two looks without a notification. */
  pollMs?: number;
  leadMs?: number;
  /** A lease is renewed three times in its life, and looked for as often. */
  claimedLeaseMs?: number;
  penalty?: ChannelPenalty;
  /** When the database is away, at first. */
  retryMs?: number;
};

type Deps = DispatcherOptions & {
  claims: Claims;
  results: Results;
  wake: Wake;
  deliver: Deliver;
  findOutage: FindOutage;
  sweep: SweepLeases;
  log: Log;
  /** A person has to look whether it arrived. */
  onUnknown?: (delivery: UnknownDelivery) => void;
};

export type Dispatcher = ReturnType<typeof makeDispatcher>;

const GRACE_MS = 30_000;
/** For the results of calls that were ended. */
const LAST_WORDS_MS = 5_000;
/** With rates, slots a second ahead lie in the hand too. */
const MOST_IN_HAND = 500;

/** Claims what is due, sends it and writes down the result. Any number of them share the work. */
export function makeDispatcher(deps: Deps) {
  const { claims, results, wake, deliver, findOutage, sweep, log, onUnknown = () => {} } = deps;
  const { name = 'dispatcher', concurrency = 10, pollMs = 1_000, leadMs = 5, penalty = {} } = deps;
  const { claimedLeaseMs = CLAIMED_LEASE_MS, retryMs = 50 } = deps;
  const wanted = concurrency * 10;
  const calls = new AbortController();
  const writes = new AbortController();
  const keepTrying = makeKeepTrying({ log, signal: writes.signal, firstWaitMs: retryMs });
  const report = makeReportOutcome({ results, keepTrying, log, penalty });
  const hand = makeHand({ earlyMs: leadMs / 2 });
  const turns = makeTurns({ mostRestMs: pollMs });
  const claimRound = makeClaimRound({ claims, hand, turns, name, runId: `${name}:${randomUUID()}`, log });
  const attempts = makeAttempts({
    ...{
      claims,
      results,
      hand,
      deliver,
      findOutage,
      report,
      keepTrying,
      log,
      concurrency,
      leadMs,
      onUnknown,
    },
    signal: calls.signal,
    onFree: tick,
    onDone: ({ workspaceId }) => {
      turns.gave(workspaceId);
      lookAgain();
    },
  });
  const heartbeat = makeHeartbeat({ claims, hand, inFlight: attempts.inFlight });
  const upkeep: { stop(): Promise<void> }[] = [];
  let isRunning = false;
  let claiming: Promise<void> | null = null;
  let claimAt = 0;
  let looks = 0;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  return { start, stop };

  async function start(): Promise<void> {
    const listening = await wake.listen(look);
    upkeep.push(listening, every(claimedLeaseMs / 3, heartbeat), every(claimedLeaseMs / 3, sweep));
    isRunning = true;
    tick();
  }

  /** Something may be due, in this workspace or anywhere. */
  function look(workspaceId?: string): void {
    turns.spokenOf(workspaceId);
    lookAgain();
  }

  function lookAgain(): void {
    looks++;
    claimAt = 0;
    tick();
  }

  function tick(): void {
    if (!isRunning) return;
    attempts.begin();
    if (hasRoom() && claimAt <= performance.now()) claiming ??= claimMore();
    clearTimeout(timer);
    const at = Math.min(
      attempts.hasRoom() ? hand.nextDueAt() : Number.POSITIVE_INFINITY,
      hasRoom() && !claiming ? claimAt : Number.POSITIVE_INFINITY,
    );
    if (at !== Number.POSITIVE_INFINITY) timer = setTimeout(tick, Math.max(0, at - performance.now()));
  }

  function hasRoom(): boolean {
    return hand.dueNow() <= wanted / 2 && hand.size() < MOST_IN_HAND;
  }

  async function claimMore(): Promise<void> {
    const before = looks;
    try {
      const taken = await claimRound(Math.min(wanted - hand.dueNow(), MOST_IN_HAND - hand.size()));
      failures = 0;
      const isQuiet = taken === 0 && looks === before;
      claimAt = isQuiet ? Math.min(performance.now() + pollMs, turns.nextAt()) : 0;
    } catch (error) {
      failures++;
      const waitMs = Math.min(retryMs * 2 ** failures, 5_000);
      claimAt = performance.now() + waitMs;
      log.warn({ err: error, waitMs }, 'nothing could be claimed');
    }
    claiming = null;
    tick();
  }

  function every(ms: number, work: () => Promise<unknown>) {
    let running: Promise<unknown> | null = null;
    const interval = setInterval(() => {
      running ??= work()
        .catch((error) => log.warn({ err: error }, 'upkeep of the queue failed'))
        .finally(() => {
          running = null;
        });
    }, ms);
    return {
      async stop() {
        clearInterval(interval);
        await running;
      },
    };
  }

  /** No new claims; what is claimed goes back, what is being sent may finish. Calls are ended after `graceMs`. */
  async function stop(graceMs = GRACE_MS): Promise<void> {
    if (!isRunning) return;
    isRunning = false;
    clearTimeout(timer);
    const deadline = setTimeout(() => calls.abort(new Error('stopping')), graceMs);
    const lastWords = setTimeout(() => writes.abort(new Error('stopping')), graceMs + LAST_WORDS_MS);
    await Promise.race([finish(), once(writes.signal, 'abort')]);
    clearTimeout(deadline);
    clearTimeout(lastWords);
  }

  async function finish(): Promise<void> {
    const finished = attempts.finish();
    await claiming;
    await giveBack();
    await finished;
    await giveBack(); // what was just being asked for and has to wait
    for (const one of upkeep.splice(0)) await one.stop();
  }

  /** Where that fails, the leases run out. */
  async function giveBack(): Promise<void> {
    for (const claim of byClaim(hand.all())) {
      for (const id of claim.deliveryIds) hand.drop(id);
      try {
        await keepTrying('what was claimed', () => claims.giveBack(claim));
      } catch (error) {
        log.warn({ err: error, deliveries: claim.deliveryIds }, 'claims could not be given back');
      }
    }
  }
}
