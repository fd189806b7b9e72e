import type { Config, SupplierSettings } from '../config.ts';
import type { Abilities } from '../menu/abilities.ts';

/** In the sandbox stand-ins play what is not set. */
export function abilitiesOf(
  { sandbox, trainer }: Pick<Config, 'sandbox' | 'trainer'>,
  suppliers: SupplierSettings,
): Abilities {
  const writes = sandbox || suppliers.openRouter !== null;
  return {
    writes,
    // What was read is told by a model.
    readsSites: writes && (sandbox || suppliers.firecrawl !== null),
    searches: sandbox || suppliers.serper !== null,
    trains: writes && trainer,
  };
}
