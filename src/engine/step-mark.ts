import { hash } from 'node:crypto';

// 36 bits: of a million old buttons in one chat, one in 70,000 chats would have one that passes for the present step.
const LENGTH = 6;

/**
 * Names one step of one run in the few bytes that a button can carry. A screen is drawn from the state and the
 * context, so the mark is made of both: whatever the screen says is bought, published or deleted cannot change
 * without changing the mark. A counter of steps was rejected: it would have to be stored, and a message that was
 * sent by a process which died before it noted so would carry a number that is not on record.
 */
export const stepMark = (run: string, state: string, context: unknown): string =>
  hash('sha1', `${run} ${state} ${JSON.stringify(context)}`, 'base64url').slice(0, LENGTH);
