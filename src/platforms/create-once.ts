import { DeliveryFailed } from '../errors.ts';

/** It may have been created: the answer was lost. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

type Search<Made> = {
  find(): Promise<Made | null>;
  /** Between two looks: what is still being made when the first one comes is there for the second. */
  pause(): Promise<void>;
};

const TRIES = 2;

/**
 * Makes something of which there must never be two, at a place that does not know our keys. A lost answer is
 * followed by a look; made again is only what two looks have not found. Throws when it is certainly not there.
 */
export async function createOnce<Made>(
  create: () => Promise<Made>,
  mayHaveArrived: (error: unknown) => boolean,
  search: Search<Made>,
): Promise<Made> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await create();
    } catch (error) {
      if (!mayHaveArrived(error)) throw error;
      const found = await lookTwice(search);
      if (found !== null) return found;
      if (tries === TRIES) throw error;
    }
  }
}

/** Null: certainly not there. Throws OutcomeUnknown when looking is impossible. */
export async function lookTwice<Made>({ find, pause }: Search<Made>): Promise<Made | null> {
  const look = () =>
    find().catch((error: unknown) => {
      if (error instanceof DeliveryFailed) throw new OutcomeUnknown('looking failed', { cause: error });
      throw error;
    });
  const first = await look();
  if (first !== null) return first;
  await pause();
  return look();
}
