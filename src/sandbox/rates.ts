/** How many messages a second a messenger takes. */
export type RateLimits = { perBot: number; perChat: number };

const SECOND = 1000;

/** Counts what was taken within the last second; what is refused is not counted. */
export function createRates({ perBot, perChat }: RateLimits, now: () => number) {
  const taken = new Map<string, number[]>();
  return { take };

  /** Null: taken. Otherwise the milliseconds until there is room. */
  function take(bot: string, chat: string): number | null {
    const gates = [
      { key: `bot ${bot}`, most: perBot },
      { key: `chat ${chat}`, most: perChat },
    ].map((gate) => ({ ...gate, recent: recent(gate.key) }));
    const full = gates.filter((gate) => gate.recent.length >= gate.most);
    if (full.length > 0) return Math.max(...full.map((gate) => gate.recent[0]! + SECOND - now()));
    for (const gate of gates) taken.set(gate.key, [...gate.recent, now()]);
    return null;
  }

  function recent(key: string): number[] {
    return (taken.get(key) ?? []).filter((at) => at > now() - SECOND);
  }
}
