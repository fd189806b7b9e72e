import type { Session } from './session.ts';

// A few kB each. Everybody else costs a parse and a restore, as after a change of process.
const MOST = 1_000;

/**
 * What this process stored last for the people who write now. A person's next update usually finds exactly that text in
 * the store: then it need not be parsed, nor its flow restored and proven again, because this very code has made it. The
 * text is compared as a whole, so a session that another process has changed is read and checked in full.
 */
export function createKnownSessions(most = MOST) {
  const known = new Map<number, { text: string; session: Session }>();
  return { keep, find };

  function keep(userId: number, text: string, session: Session): void {
    known.delete(userId); // moves to the end: the first entry is the least recently used
    known.set(userId, { text, session });
    if (known.size > most) known.delete(known.keys().next().value!);
  }

  function find(userId: number, text: string): Session | undefined {
    const last = known.get(userId);
    return last?.text === text ? last.session : undefined;
  }
}
