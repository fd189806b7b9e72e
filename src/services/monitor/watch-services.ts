import type { CheckServices } from './check-services.ts';

type OutageTexts = {
  away(service: string, minutes: number): string;
  back(service: string, minutes: number): string;
};

type Deps = {
  checkServices: CheckServices;
  /** Of several processes that see the same outage, one speaks. */
  isFirstToTell(what: string): Promise<boolean>;
  texts: OutageTexts;
  tell(text: string): Promise<void>;
  now?: () => number;
};

type Outage = {
  since: number;
  looks: number;
  /** How often its growth was noticed, here or in another process. */
  notices: number;
  /** This process has the word for the next message: it could not be sent yet. */
  isOurs: boolean;
};

/** One missed answer is a hiccup. */
const LOOKS_BEFORE_TELLING = 2;
/** Told again after 10 minutes, 20, 40 and so on. */
const AGAIN_AFTER_MINUTES = 10;

/**
 * Tells that a service is away, again when the outage has doubled, and that it is back. Kept in memory: the store that
 * would remember it may be the one that is away.
 */
export function makeWatchServices({ checkServices, isFirstToTell, texts, tell, now = Date.now }: Deps) {
  const outages = new Map<string, Outage>();
  return async (): Promise<void> => {
    for (const { name, isUp } of await checkServices()) await (isUp ? back(name) : away(name));
  };

  async function away(name: string): Promise<void> {
    const outage = outages.get(name) ?? { since: now(), looks: 0, notices: 0, isOurs: false };
    outages.set(name, outage);
    outage.looks += 1;
    const minutes = minutesSince(outage);
    if (outage.looks < LOOKS_BEFORE_TELLING || minutes < nextNoticeOf(outage)) return;
    outage.isOurs ||= await isFirstToTell(`away:${name}:${outage.notices}`);
    if (outage.isOurs) await tell(texts.away(name, minutes));
    outage.isOurs = false;
    outage.notices += 1;
  }

  async function back(name: string): Promise<void> {
    const outage = outages.get(name);
    if (!outage) return;
    if (outage.notices > 0) {
      outage.isOurs ||= await isFirstToTell(`back:${name}`);
      if (outage.isOurs) await tell(texts.back(name, minutesSince(outage)));
    }
    outages.delete(name);
  }

  function minutesSince({ since }: Outage): number {
    return Math.floor((now() - since) / 60_000);
  }
}

const nextNoticeOf = ({ notices }: Outage): number =>
  notices === 0 ? 0 : AGAIN_AFTER_MINUTES * 2 ** (notices - 1);
