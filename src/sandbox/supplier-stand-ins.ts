import { join } from 'node:path';
import type { SupplierSettings } from '../config.ts';
import { startDataForSeoStandIn } from './dataforseo/start.ts';
import { startFirecrawlStandIn } from './firecrawl/start.ts';
import type { Author } from './openrouter/router.ts';
import { startOpenRouterStandIn } from './openrouter/start.ts';
import { startPageSpeedStandIn } from './pagespeed/start.ts';
import { startSerperStandIn } from './serper/start.ts';
import { onPort, type StandIn } from './stand-in.ts';
import { startTelegraphStandIn } from './telegraph/start.ts';
import { startWordstatStandIn } from './wordstat/start.ts';

/** Visibly no secrets: they open nothing but stand-ins on this machine. */
const KEY = 'sandbox-key-of-no-value';

/** How long a model seems to think: long enough to watch the progress, short enough not to bore. */
const MODEL_THINKS_MS = 700;

/** `port`: where pages that people open should stay, if it is free; `folder`: what is to outlive the process. */
type Play = {
  modelThinksMs: number;
  author?: Author | undefined;
  port?: number | undefined;
  folder?: string | undefined;
};
type Playing<Name extends keyof SupplierSettings> = {
  standIn: StandIn;
  settings: NonNullable<SupplierSettings[Name]>;
};
type Players = { [Name in keyof SupplierSettings]: (play: Play) => Promise<Playing<Name>> };

/** Each by the name of its supplier, for switching faults on. */
export type StandInsByName = {
  [Name in keyof typeof players]: Awaited<ReturnType<(typeof players)[Name]>>['standIn'];
};

const players = {
  async openRouter({ modelThinksMs: latencyMs, author }: Play) {
    const standIn = await startOpenRouterStandIn({ apiKey: KEY, latencyMs, ...(author && { author }) });
    return { standIn, settings: { baseUrl: standIn.url, apiKey: KEY } };
  },
  async dataForSeo() {
    const standIn = await startDataForSeoStandIn({ login: 'sandbox', password: KEY });
    return { standIn, settings: { baseUrl: `${standIn.url}/v3`, login: 'sandbox', password: KEY } };
  },
  async yandex() {
    // Ten times the real limit, as everywhere in the sandbox.
    const standIn = await startWordstatStandIn({ apiKey: KEY, folderId: 'sandbox', limit: 1_000 });
    return { standIn, settings: { baseUrl: standIn.url, apiKey: KEY, folderId: 'sandbox' } };
  },
  async firecrawl() {
    const standIn = await startFirecrawlStandIn({ apiKey: KEY });
    const settings = { baseUrl: `${standIn.url}/v2`, apiKey: KEY, webUrl: `${standIn.url}/web` };
    return { standIn, settings };
  },
  async serper() {
    const standIn = await startSerperStandIn({ apiKey: KEY });
    return { standIn, settings: { baseUrl: standIn.url, apiKey: KEY } };
  },
  async pageSpeed() {
    const standIn = await startPageSpeedStandIn();
    return { standIn, settings: { baseUrl: `${standIn.url}/pagespeedonline/v5`, apiKey: undefined } };
  },
  async telegraph({ port = 0, folder }: Play) {
    const standIn = await onPort(port, (free) =>
      startTelegraphStandIn({ port: free, ...(folder && { journal: join(folder, 'telegraph.jsonl') }) }),
    );
    return { standIn, settings: { baseUrl: standIn.url, accessToken: undefined } };
  },
} satisfies Players;

/** Plays every supplier that has neither key nor address. */
export async function startSupplierStandIns(
  wanted: SupplierSettings,
  { modelThinksMs = MODEL_THINKS_MS, ...play }: Partial<Play> = {},
): Promise<{
  suppliers: SupplierSettings;
  standIns: StandIn[];
  byName: Partial<StandInsByName>;
  close(): Promise<void>;
}> {
  const names = Object.keys(players) as (keyof SupplierSettings)[];
  const played = await Promise.all(
    names
      .filter((name) => wanted[name] === null)
      .map(async (name) => ({ name, ...(await players[name]({ modelThinksMs, ...play })) })),
  );
  const settings = Object.fromEntries(played.map(({ name, settings: own }) => [name, own]));
  const standIns = played.map(({ standIn }) => standIn);
  return {
    suppliers: { ...wanted, ...settings },
    standIns,
    byName: Object.fromEntries(played.map(({ name, standIn }) => [name, standIn])),
    close: async () => void (await Promise.all(standIns.map((standIn) => standIn.close()))),
  };
}
