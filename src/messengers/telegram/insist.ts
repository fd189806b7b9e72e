import { setTimeout as delay } from 'node:timers/promises';
import { ChatClosed, ShowLater } from '../../engine/presenter.ts';
import { type ApiFault, faultOf } from './api-fault.ts';

// Longer waits are not sat out under the person's lock: the engine shows the screen again when they are over.
const LONGEST_WAIT_MS = 2_000;
const PAUSES_MS = [150, 500];

/** A send whose answer was lost is not repeated: the person may have the message already. */
export async function sent<Result>(call: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const fault = faultOf(error);
      if (fault.kind === 'refused') throw error;
      await pauseOrGiveUp(fault, attempt, error, ['wait', 'unreached']);
    }
  }
}

/** False when the message can no longer be edited like this. Editing twice does no harm, so doubt means: again. */
export async function edited(call: () => Promise<unknown>): Promise<boolean> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await call();
      return true;
    } catch (error) {
      const fault = faultOf(error);
      if (fault.kind === 'unchanged') return true;
      if (fault.kind === 'uneditable') return false;
      if (fault.kind === 'refused') throw error;
      await pauseOrGiveUp(fault, attempt, error, ['wait', 'unreached', 'unknown']);
    }
  }
}

async function pauseOrGiveUp(
  fault: ApiFault,
  attempt: number,
  error: unknown,
  repeatable: readonly ApiFault['kind'][],
): Promise<void> {
  if (fault.kind === 'closed') throw new ChatClosed('the chat is closed to the bot', { cause: error });
  const pause = fault.kind === 'wait' ? fault.ms : PAUSES_MS[attempt];
  const worthIt = repeatable.includes(fault.kind) && attempt < PAUSES_MS.length;
  if (!worthIt || pause === undefined || pause > LONGEST_WAIT_MS) {
    const mayHaveArrived = fault.kind === 'unknown';
    throw new ShowLater(fault.kind === 'wait' ? fault.ms : null, { cause: error, mayHaveArrived });
  }
  await delay(pause);
}
