import type { Flows } from './flows.ts';
import type { Letter } from './inbox.ts';
import type { FlowRun, Session } from './session.ts';

/** A deadline that a flow's present state asks for: relative to the moment when it was first asked for, or fixed. */
export type Deadline = { name: string } & ({ seconds: number } | { at: number });

const TAG = /^wake:([a-z0-9_]+):(\d+)$/u;

/**
 * A machine asks to be woken in one of two ways: by the tag `wake:<name>:<seconds>` on a state, or by `wakeAt` in its
 * context, a table of names and Unix milliseconds that a service has worked out. XState's own `after` would die with the
 * process. The event that comes is `deadline.<name>`.
 */
export function deadlinesIn(tags: readonly string[], context: unknown): Deadline[] {
  const tagged = tags.flatMap((tag) => {
    const [, name, seconds] = TAG.exec(tag) ?? [];
    return name ? [{ name, seconds: Number(seconds) }] : [];
  });
  const { wakeAt } = (context ?? {}) as { wakeAt?: Record<string, number> | null };
  const fixed = Object.entries(wakeAt ?? {}).map(([name, at]) => ({ name, at }));
  return [...tagged, ...fixed];
}

/**
 * The session with the deadlines that its flow asks for now. One that is asked for by consecutive states keeps its
 * time, so that a reminder may span a stretch of questions; one that is no longer asked for is gone.
 */
export function withDeadlines(session: Session, flows: Pick<Flows, 'deadlinesOf'>, now: number): Session {
  const wanted = session.flow ? flows.deadlinesOf(session.flow) : [];
  if (wanted.length === 0)
    return Object.keys(session.wakes).length === 0 ? session : { ...session, wakes: {} };
  const { run } = session.flow!;
  const wakes = Object.fromEntries(
    wanted.map((deadline) => {
      const key = keyOf(run, deadline.name);
      const at = 'at' in deadline ? deadline.at : (session.wakes[key] ?? now + deadline.seconds * 1000);
      return [key, at];
    }),
  );
  return { ...session, wakes };
}

/** What the inbox has to bring, and when. Idempotent: the id names the deadline and its time. */
export function deadlineLetters(
  userId: number,
  { flow, wakes }: Session,
): { letter: Letter; dueAt: number }[] {
  if (!flow) return [];
  return Object.entries(wakes).map(([key, at]) => {
    const event = { type: `deadline.${nameIn(key)}`, at };
    return { letter: { id: `wake:${key}:${at}`, userId, run: addressOf(flow), event }, dueAt: at };
  });
}

/** A deadline that was moved or is no longer asked for has nothing to say. */
export function isStillWanted({ event, run }: Letter, { wakes }: Session): boolean {
  if (!event.type.startsWith('deadline.') || !run) return true;
  return wakes[keyOf(run.run, event.type.slice('deadline.'.length))] === event.at;
}

const keyOf = (run: string, name: string): string => `${run}:${name}`;
const nameIn = (key: string): string => key.slice(key.lastIndexOf(':') + 1);
const addressOf = ({ flow, run }: FlowRun) => ({ flow, run });
