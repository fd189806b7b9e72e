import type { SupplierSettings } from '../../src/config.ts';

/** Settings go to the clients as they are: here with hardly a wait between two tries. */
export function impatient(suppliers: SupplierSettings): SupplierSettings {
  const waiting = Object.entries(suppliers).map(([name, settings]) => [
    name,
    settings && { ...settings, waitMs: () => 1 },
  ]);
  return Object.fromEntries(waiting);
}
