/** Aborted, with its name as the reason, by the first signal that asks this process to end. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort(name));
  return stop.signal;
}
