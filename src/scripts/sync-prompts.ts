import { loadConfig } from '../config.ts';
import { loadPromptFiles } from '../services/ai/prompt-file.ts';
import { promptsFolder } from '../services/ai/prompts.ts';
import { applySchema, openDatabase } from '../store/database.ts';
import { makePromptVersions } from '../store/prompt-versions.ts';

const config = loadConfig(process.env);
const files = await loadPromptFiles(promptsFolder);
const database = await openDatabase({
  dataDir: config.dataDir,
  ...(config.databaseUrl && { url: config.databaseUrl }),
});
try {
  await applySchema(database.sql);
  const changed = await makePromptVersions(database.sql).sync(files);
  console.log(`prompt_versions: ${files.length} prompts, changed: ${changed.join(', ') || 'none'}`);
} finally {
  await database.close();
}
