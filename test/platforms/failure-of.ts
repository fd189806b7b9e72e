import type { DeliveryFailed } from '../../src/errors.ts';
import { SendFailed, type SeriesProgress } from '../../src/platforms/messenger/messenger.ts';

type Kind<Failure> = new (...args: never[]) => Failure;

/** How a call failed; anything but that kind of failure, and success too, is passed on as it is. */
export async function failureOf<Failure extends DeliveryFailed = SendFailed>(
  call: Promise<unknown>,
  kind: Kind<Failure> = SendFailed as unknown as Kind<Failure>,
): Promise<Failure> {
  const ended = await call.then(
    (value) => new Error(`did not fail: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (ended instanceof kind) return ended;
  throw ended;
}

/** Somebody who keeps count, as the queue does. */
export function recorder() {
  const saved: SeriesProgress[] = [];
  return { saved, onProgress: async (progress: SeriesProgress) => void saved.push(progress) };
}
