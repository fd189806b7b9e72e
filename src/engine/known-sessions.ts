import type { Session } from './session.ts';

// A few kB each. Who is not among them costs a parse and a restore, as after every change of process.
const MOST = 1_000;

/**
 * What this process stored last for the people who write now. A person's next update usually finds exactly that text in
 * the store: then it need not be parsed, nor its flow restored and proven again, because this very code has made it. The
 * text is compared as a whole, so a session that anything else has touched is read like a stranger's.
 */
export function createKnownSessions(most = MOST) {
  const known = new Map<number, { text: string; session: Session }>();
  return { keep, find };

  function keep(userId: number, text: string, session: Session): void {
    known.delete(userId); // to the end: the first is the one that was not heard of for longest
    known.set(userId, { text, session });
    if (known.size > most) known.delete(known.keys().next().value!);
  }

  function find(userId: number, text: string): Session | undefined {
    const last = known.get(userId);
    return last?.text === text ? last.session : undefined;
  }
}
