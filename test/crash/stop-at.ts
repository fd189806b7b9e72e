import type { Place } from './article-publisher.ts';
import type { Watch } from './publishing-desk.ts';

const forEver = () => new Promise<never>(() => undefined);

/** Every publication stops at its own place and says so to the parent process, which kills it there. */
export function stopAt(works: readonly { key: string; place: Place }[]): Watch {
  const places = new Map(works.map(({ key, place }) => [key, place]));
  return (key, stage) => async (name, run) => {
    const place = places.get(key)!;
    if (place.stage !== name) return stage(name, run);
    const stop = () => {
      process.send?.(key);
      return forEver();
    };
    if (place.when === 'asked') return stop();
    const result = await stage(name, async () => {
      const made = await run();
      return place.when === 'done' ? stop() : made;
    });
    return place.when === 'kept' ? stop() : result;
  };
}
