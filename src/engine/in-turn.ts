export type InTurn<Key> = <Result>(key: Key, work: () => Promise<Result>) => Promise<Result>;

/** Within this process: work of one key runs one after another, in the order in which it came; other keys do not wait. */
export function createInTurn<Key>(): InTurn<Key> {
  const last = new Map<Key, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const done = before ? before.then(work, work) : work();
    last.set(key, done);
    try {
      return await done;
    } finally {
      if (last.get(key) === done) last.delete(key);
    }
  };
}
