/** Small values with an expiry: paused answers, checkpoints, nonces, counters, locks. On Redis, on Postgres or in memory. */
export type KeyValueStore = {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, ttlSeconds: number): Promise<void>;
  /** False, and nothing written, while there is a value: of two askers only one gets the lock. */
  setIfAbsent(key: string, value: string, ttlSeconds: number): Promise<boolean>;
  /**
   * Adds to a counter whose time runs from its first increment; `ttlSeconds` of the answer is what is left of it.
   * Never below zero: what is given back after the expiry is dropped.
   */
  increment(key: string, by: number, ttlSeconds: number): Promise<Counted>;
  /** Reads and removes in one step: of two takers only one gets the value. */
  take(key: string): Promise<string | null>;
  delete(key: string): Promise<void>;
};

export type Counted = { count: number; ttlSeconds: number };
