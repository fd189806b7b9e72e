import type { Log } from '../../log.ts';
import type { ConnectedSite } from './connect.ts';

/**
 * Learns about connected sites in the background (E15, E56). A process that goes down drops what it was learning: the
 * connection works without, and articles then look at the site themselves.
 */
export function createSiteLearning(
  learnSite: (site: ConnectedSite & { signal: AbortSignal }) => Promise<unknown>,
  log: Log,
) {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  return { begin, stop };

  function begin(site: ConnectedSite): void {
    const learning = learn(site).finally(() => running.delete(learning));
    running.add(learning);
  }

  async function learn(site: ConnectedSite): Promise<void> {
    try {
      await learnSite({ ...site, signal: stopping.signal });
    } catch (err) {
      if (!stopping.signal.aborted) log.warn({ err, projectId: site.projectId }, 'a site was not learned');
    }
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await Promise.all(running);
  }
}
