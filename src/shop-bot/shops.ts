import { compileRules, type RuleSet } from './rule-set.ts';
import { readSettings, type ShopSettings } from './settings.ts';
import type { BotEndpoints } from './store/endpoints.ts';
import type { RuleStore } from './store/rules.ts';

export type Shop = { rules: RuleSet; settings: ShopSettings };

type Wanted = { workspaceId: string; endpointId: string; ruleSet: number; settingsHash: string };
type Kept = { ruleSet: number; settingsHash: string; shop: Promise<Shop> };

const MOST_KEPT = 500;

export type Shops = ReturnType<typeof makeShops>;

/**
 * Rules and settings, compiled once and kept as long as the database says they are the present ones: ten thousand rules
 * take 30 ms to compile, which no message may wait for.
 */
export function makeShops({ rules, endpoints }: { rules: RuleStore; endpoints: BotEndpoints }) {
  const kept = new Map<string, Kept>();
  return async (wanted: Wanted): Promise<Shop> => {
    const key = JSON.stringify([wanted.workspaceId, wanted.endpointId]);
    const known = kept.get(key);
    if (known && known.ruleSet >= wanted.ruleSet && known.settingsHash === wanted.settingsHash)
      return known.shop;
    if (kept.size >= MOST_KEPT) kept.clear();
    const shop = load(wanted);
    kept.set(key, { ruleSet: wanted.ruleSet, settingsHash: wanted.settingsHash, shop });
    try {
      return await shop;
    } catch (error) {
      kept.delete(key);
      throw error;
    }
  };

  async function load({ workspaceId, endpointId }: Wanted): Promise<Shop> {
    const [{ rules: enabled }, stored] = await Promise.all([
      rules.enabled(workspaceId),
      endpoints.settings(workspaceId, endpointId),
    ]);
    return { rules: compileRules(enabled), settings: readSettings(stored?.meta) };
  }
}
