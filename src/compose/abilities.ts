import type { Config } from '../config.ts';
import type { Abilities } from '../menu/abilities.ts';

/** In the sandbox stand-ins play what is not set. */
export function abilitiesOf({ sandbox, suppliers, trainer }: Config): Abilities {
  const writes = sandbox || suppliers.openRouter !== null;
  return {
    writes,
    // What was read is told by a model.
    readsSites: writes && (sandbox || suppliers.firecrawl !== null),
    searches: sandbox || suppliers.serper !== null,
    trains: writes && trainer,
  };
}
