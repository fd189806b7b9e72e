/**
 * Runs short computations one per turn of the event loop. When a hundred answers arrive at the same moment, what is
 * computed from them would otherwise fill one turn, and every other person's button would wait for all of it.
 */
export function onePerTurn(): <Result>(compute: () => Result) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (compute) => {
    const result = last.then(nextTurn).then(compute);
    last = result.catch(() => undefined); // its caller hears of the failure; the next one runs all the same
    return result;
  };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
