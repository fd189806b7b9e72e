/** A service that the bot leans on, and how to ask whether it is there. */
export type Check = {
  name: string;
  ping(): Promise<unknown>;
  /** The bot works without it, with less. Checked at most twice a minute, because it is somebody else's service. */
  optional?: boolean;
};

export type Checked = { name: string; optional: boolean; isUp: boolean; latencyMs: number };
export type CheckServices = () => Promise<Checked[]>;

const PATIENCE_MS = 3_000;
const OPTIONAL_EVERY_MS = 30_000;

/** One set of checks for the health endpoint, the owner's panel and the metrics. */
export function makeCheckServices(checks: readonly Check[]): CheckServices {
  const asked = checks.map(({ name, ping, optional = false }) => ({
    name,
    optional,
    ping: optional ? seldom(ping) : ping,
  }));
  return () =>
    Promise.all(
      asked.map(async ({ name, optional, ping }) => {
        const started = performance.now();
        const isUp = (await answered(async () => void (await ping()))) !== null;
        return { name, optional, isUp, latencyMs: Math.round(performance.now() - started) };
      }),
    );
}

/** The last answer, unless it is older than half a minute. */
export function seldom<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let last: { at: number; answer: Promise<Answer> } | null = null;
  return () => {
    if (!last || Date.now() - last.at > OPTIONAL_EVERY_MS) {
      last = { at: Date.now(), answer: ask() };
      last.answer.catch(() => undefined); // the caller gets the rejection; it may have stopped waiting
    }
    return last.answer;
  };
}

/** Null when the service fails, or says nothing for as long as a caller waits. */
export async function answered<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
  const timeout = AbortSignal.timeout(PATIENCE_MS);
  const late = new Promise<null>((resolve) =>
    timeout.addEventListener('abort', () => resolve(null), { once: true }),
  );
  try {
    return await Promise.race([ask(), late]);
  } catch {
    return null;
  }
}
