type Waiting<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void };

/**
 * One statement for all that ask while the one before is under way: a lone question is asked at once, and a crowd costs
 * no more round trips than a lone one. Results come in the order of the items.
 */
export function gather<Item, Result>(run: (items: Item[]) => Promise<Result[]>) {
  let waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;
  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void runAll();
    });

  async function runAll(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const results = await run(batch.map(({ item }) => item));
        for (const [place, { resolve }] of batch.entries()) resolve(results[place] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  }
}
