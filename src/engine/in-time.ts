/** A store did not answer within the time that a person may be left waiting. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

// Redis gives up by itself, sooner. A database that is there but does not answer would keep a person waiting.
const PATIENCE_MS = 8_000;

/** Waits no longer than a person does. The work itself is not stopped: whether it was done is unknown. */
export function inTime<Result>(
  what: string,
  work: Promise<Result>,
  patienceMs = PATIENCE_MS,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new TookTooLong(`${what} took more than ${patienceMs} ms`)),
      patienceMs,
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
