import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../log.ts';
import type { SeriesProgress } from '../../platforms/messenger/messenger.ts';
import type { Beginning, ClaimedDelivery, Claims } from '../store/claims.ts';
import type { Results } from '../store/results.ts';
import type { Deliver } from './deliver.ts';
import type { FindOutage } from './find-outage.ts';
import { byWorkspace, type Hand } from './hand.ts';
import type { KeepTrying } from './keep-trying.ts';
import { notCalled, type Outcome } from './outcome.ts';
import type { Standing } from './report-outcome.ts';

export type UnknownDelivery = { workspaceId: string; deliveryId: string };

type Deps = {
  claims: Pick<Claims, 'begin' | 'beginCall' | 'failProbe'>;
  results: Pick<Results, 'saveSeriesProgress'>;
  hand: Hand;
  deliver: Deliver;
  findOutage: FindOutage;
  report: (delivery: ClaimedDelivery, outcome: Outcome) => Promise<Standing>;
  keepTrying: KeepTrying;
  log: Log;
  /** Sends at once. */
  concurrency: number;
  /** How long before its moment an attempt may be on record: as long as a timer may be early. */
  leadMs: number;
  /** Ends the calls that are being made. */
  signal: AbortSignal;
  onFree: () => void;
  onDone: (delivery: ClaimedDelivery) => void;
  onUnknown: (delivery: UnknownDelivery) => void;
};

// Sends that began together end together: a short wait turns their questions into one statement.
const GATHER_MS = 2;

/** Brings what is due on record, calls the provider, and writes down what came of it. */
export function makeAttempts(deps: Deps) {
  const { claims, results, hand, deliver, findOutage, report, keepTrying, log, concurrency, leadMs, signal } =
    deps;
  const inFlight = new Map<string, ClaimedDelivery>();
  const running = new Set<Promise<void>>();
  // No more are brought on record than can be called at once: what is on record and not called is unknown if we die.
  const hasRoom = () => busy < concurrency;
  let busy = 0; // looked at, asked for, or being sent
  let gathering: NodeJS.Timeout | undefined;
  return { begin, hasRoom, inFlight: () => [...inFlight.values()], finish };

  function begin(): void {
    if (gathering || !hasRoom()) return;
    if (busy === 0) askForDue();
    else
      gathering = setTimeout(() => {
        gathering = undefined;
        askForDue();
      }, GATHER_MS);
  }

  function askForDue(): void {
    const due = hand.takeDue(concurrency - busy);
    for (const delivery of due) if (delivery.isProbe) track(probe(delivery));
    const others = due.filter(({ isProbe }) => !isProbe);
    for (const [workspaceId, deliveries] of byWorkspace(others)) track(ask(workspaceId, deliveries));
  }

  /** Its group was failing. A look at the platform costs nothing; a send into an outage leaves an unknown delivery. */
  async function probe(delivery: ClaimedDelivery): Promise<void> {
    busy++;
    const error = await findOutage(delivery, signal);
    busy--;
    // Stopping: it stays in the hand and is given back with the rest.
    if (signal.aborted) return hand.postpone(delivery.deliveryId, 0);
    if (error === null) return ask(delivery.workspaceId, [delivery]);
    log.warn(
      { workspace: delivery.workspaceId, group: delivery.rateGroup, error },
      'the platform is still away',
    );
    hand.drop(delivery.deliveryId);
    try {
      await keepTrying('a failed probe', () => claims.failProbe(delivery, error));
    } finally {
      deps.onDone(delivery);
    }
  }

  async function ask(workspaceId: string, deliveries: readonly ClaimedDelivery[]): Promise<void> {
    const amount = deliveries.length;
    busy += amount;
    try {
      const unprepared = deliveries.filter(hasFiles).map(({ deliveryId }) => deliveryId);
      const beginnings = await claims.begin(workspaceId, deliveries, { leadMs, unprepared });
      const byId = new Map(beginnings.map((one) => [one.deliveryId, one]));
      for (const delivery of deliveries) settle(delivery, byId.get(delivery.deliveryId));
    } catch (error) {
      log.warn({ err: error }, 'attempts could not be brought on record');
      for (const delivery of deliveries) track(returnUncalled(delivery, error));
    } finally {
      busy -= amount;
      deps.onFree();
    }
  }

  function settle(delivery: ClaimedDelivery, beginning: Beginning | undefined): void {
    const { outcome = 'lost', waitMs = null, attempt } = beginning ?? {};
    if (outcome === 'wait') hand.postpone(delivery.deliveryId, waitMs);
    else hand.drop(delivery.deliveryId);
    if (outcome === 'sending') track(send(delivery, waitMs ?? 0, attempt ?? delivery.attempt + 1));
  }

  /** The attempt may be on record or not. The platform was not called, and the database is told so. */
  async function returnUncalled(delivery: ClaimedDelivery, error: unknown): Promise<void> {
    hand.drop(delivery.deliveryId);
    await conclude(delivery, notCalled(error), { attempt: delivery.attempt, ms: 0 });
  }

  async function send(delivery: ClaimedDelivery, waitMs: number, attempt: number): Promise<void> {
    inFlight.set(delivery.deliveryId, delivery);
    busy++;
    if (waitMs >= 1) await sleep(Math.ceil(waitMs)); // a timer is no more exact than that
    const startedAt = performance.now();
    const outcome = await deliver(delivery, {
      signal,
      saveProgress: saveProgressOf(delivery),
      ...(hasFiles(delivery) && { beginCall: () => claims.beginCall(delivery) }),
    });
    const about = { attempt, ms: Math.round(performance.now() - startedAt) };
    // A failure may stop the channel or its group: the slot is freed after that is written.
    if (outcome.kind === 'sent') free();
    await conclude(delivery, outcome, about);
    if (outcome.kind !== 'sent') free();
  }

  function saveProgressOf(delivery: ClaimedDelivery) {
    return (progress: SeriesProgress) =>
      keepTrying('progress', () => results.saveSeriesProgress(delivery, progress));
  }

  function free(): void {
    busy--;
    deps.onFree();
  }

  async function conclude(
    delivery: ClaimedDelivery,
    outcome: Outcome,
    about: { attempt: number; ms: number },
  ): Promise<void> {
    const { workspaceId: workspace, deliveryId, channelId: channel } = delivery;
    const standing = await report(delivery, outcome);
    const code = outcome.kind === 'sent' ? {} : { code: outcome.error.code };
    log.info({ workspace, delivery: deliveryId, channel, ...about, ...code, standing }, 'attempt');
    if (standing === 'unknown') deps.onUnknown(delivery);
    inFlight.delete(deliveryId);
    hand.comeNext(delivery);
    deps.onDone(delivery);
  }

  function track(work: Promise<void>): void {
    running.add(work);
    work
      .catch((error) => log.error({ err: error }, 'an attempt ended in an error'))
      .finally(() => running.delete(work));
  }

  /** Begins nothing more; everything begun comes to its end. */
  async function finish(): Promise<void> {
    clearTimeout(gathering);
    gathering = undefined;
    while (running.size > 0) await Promise.allSettled(running);
  }
}

const hasFiles = ({ payload }: ClaimedDelivery): boolean => (payload.media?.length ?? 0) > 0;
