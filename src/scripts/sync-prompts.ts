import { existsSync } from 'node:fs';
import { BadConfig, loadConfig } from '../config.ts';
import { loadPromptFiles } from '../services/ai/prompt-file.ts';
import { promptsFolder } from '../services/ai/prompts.ts';
import { DataDirInUse } from '../store/data-dir-lock.ts';
import { openDatabase } from '../store/database.ts';
import { makePromptVersions } from '../store/prompt-versions.ts';
import { applySchema } from '../store/schema.ts';

try {
  await main();
} catch (error) {
  console.error(error instanceof BadConfig || error instanceof DataDirInUse ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile();
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
}
