/** What was asked of a store did not come in the time a person is left without a word. */
class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

// Redis gives up by itself, sooner. A database that is there but does not answer would keep a person waiting.
const PATIENCE_MS = 8_000;

/** Waits no longer than a person does. The work itself is not stopped: nobody knows whether it was done. */
export async function inTime<Result>(what: string, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new TookTooLong(`${what} took more than ${PATIENCE_MS} ms`)),
      PATIENCE_MS,
    );
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
