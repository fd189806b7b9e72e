/** Small values with an expiry: paused answers, checkpoints, nonces. On Redis, on Postgres or in memory. */
export type KeyValueStore = {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, ttlSeconds: number): Promise<void>;
  /** Reads and removes in one step: of two takers only one gets the value. */
  take(key: string): Promise<string | null>;
  delete(key: string): Promise<void>;
};
