import type { KeyValueStore } from '../engine/key-value-store.ts';
import type { Log } from '../log.ts';
import { loadPromptFiles } from '../services/ai/prompt-file.ts';
import { makeActivePrompt, makeSyncPrompts, promptsFolder, shippedPrompts } from '../services/ai/prompts.ts';
import type { Sql } from '../store/database.ts';
import { makePromptVersions } from '../store/prompt-versions.ts';

/** The prompts of this release come into force; what was written into the database by hand stays. */
export async function bringPrompts({ sql, cache, log }: { sql: Sql; cache: KeyValueStore; log: Log }) {
  const files = await loadPromptFiles(promptsFolder);
  const versions = makePromptVersions(sql);
  await makeSyncPrompts({ versions, cache, log })(files);
  return makeActivePrompt({ versions, cache, shipped: shippedPrompts(files), log });
}
