import { readSchema } from '../../../src/store/schema.ts';
import { keepSchema } from './earlier-schemas.ts';

/** Before a release: from now on upgrades from this schema.sql are tested as well. */
await keepSchema(await readSchema());
