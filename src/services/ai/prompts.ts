import type { KeyValueStore } from '../../engine/key-value-store.ts';
import type { Log } from '../../log.ts';
import { BadPrompt, loadPromptFiles, type Prompt, type PromptFile, parsePrompt } from './prompt-file.ts';
import type { ActivePrompt } from './render-prompt.ts';
import { type Task, tasks } from './tasks.ts';

/** The table `prompt_versions`, as far as prompts need it. */
type PromptVersions = {
  /** Puts the texts in and makes the newest version of each task the active one. Returns the tasks it touched. */
  sync(files: readonly { task: string; version: string; yaml: string }[]): Promise<string[]>;
  active(task: string): Promise<{ version: string; yaml: string } | null>;
};

type Cache = Pick<KeyValueStore, 'get' | 'set' | 'delete'>;

/** The prompts shipped with the code. */
export const promptsFolder = new URL('../../../prompts/', import.meta.url);

const CACHE_SECONDS = 3_600;
const cacheKey = (task: Task) => `prompt:${task}`;

/** Prompts straight from files, for tools that have no database. */
export const filePrompts = async (folder = promptsFolder): Promise<ActivePrompt> =>
  shippedPrompts(await loadPromptFiles(folder));

/** The newest version of each task. Refuses a set with which some task could not be done. */
export function shippedPrompts(files: readonly PromptFile[]): ActivePrompt {
  const newest = new Map<Task, PromptFile>();
  for (const file of files) {
    const known = newest.get(file.task);
    if (!known || order(file.version) > order(known.version)) newest.set(file.task, file);
  }
  const missing = Object.keys(tasks).filter((task) => !newest.has(task as Task));
  if (missing.length > 0) throw new BadPrompt(`there is no prompt for ${missing.join(', ')}`);
  return async (task) => newest.get(task)!.prompt;
}

const order = (version: string) => Number(version.slice(1));

type ActivePromptDeps = {
  versions: Pick<PromptVersions, 'active'>;
  cache: Cache;
  /** What serves when the database has nothing usable. */
  shipped: ActivePrompt;
  log: Log;
};

/** The active row, remembered for an hour: a prompt can be changed in the database without a release. */
export function makeActivePrompt({ versions, cache, shipped, log }: ActivePromptDeps): ActivePrompt {
  /** The same text is not read again for every question: that took longer than rendering it. */
  const read = new Map<Task, { yaml: string; prompt: Prompt }>();
  return async (task) => (await remembered(task)) ?? (await stored(task)) ?? shipped(task);

  async function remembered(task: Task): Promise<Prompt | null> {
    try {
      const yaml = await cache.get(cacheKey(task));
      if (yaml === null) return null;
      const known = read.get(task);
      const prompt = known?.yaml === yaml ? known.prompt : await usable(task, yaml);
      read.set(task, { yaml, prompt });
      return prompt;
    } catch (err) {
      log.warn({ err, task }, 'the remembered prompt could not be read');
      return null;
    }
  }

  async function stored(task: Task): Promise<Prompt | null> {
    try {
      const row = await versions.active(task);
      if (!row) throw new BadPrompt(`no active prompt is stored for ${task}`);
      const prompt = await usable(task, row.yaml, row.version);
      await remember(task, row.yaml);
      return prompt;
    } catch (err) {
      log.warn({ err, task }, 'the stored prompt cannot be used, the shipped one serves');
      return null;
    }
  }

  async function remember(task: Task, yaml: string): Promise<void> {
    try {
      await cache.set(cacheKey(task), yaml, CACHE_SECONDS);
    } catch (err) {
      log.warn({ err, task }, 'the prompt could not be remembered');
    }
  }

  /**
   * It is what its row says, or the log of publications would name the wrong prompt; and it needs nothing that
   * this release does not give, as one of a newer release would after a step back.
   */
  async function usable(task: Task, yaml: string, version?: string): Promise<Prompt> {
    const prompt = parsePrompt(yaml, `prompt_versions, ${task}`);
    const { task_type, version: written } = prompt.meta;
    if (task_type !== task || (version ?? written) !== written)
      throw new BadPrompt(`the row of ${task} ${version ?? ''} holds ${task_type} ${written}`);
    const given = new Set((await shipped(task)).variables.map(({ name }) => name));
    const strange = prompt.variables.filter(
      (variable) => variable.required && variable.default === undefined && !given.has(variable.name),
    );
    if (strange.length > 0)
      throw new BadPrompt(`${prompt.name} needs ${strange.map(({ name }) => name).join(', ')}`);
    return prompt;
  }
}

type SyncDeps = { versions: Pick<PromptVersions, 'sync'>; cache: Cache; log: Log };

/** At the start of a release: its prompts come into force at once, not when the old ones are forgotten. */
export const makeSyncPrompts =
  ({ versions, cache, log }: SyncDeps) =>
  async (files: readonly PromptFile[]): Promise<void> => {
    const changed = await versions.sync(files);
    if (changed.length > 0) log.info({ changed }, 'prompts brought up to date');
    const forgetting = Object.keys(tasks).map((task) => cache.delete(cacheKey(task as Task)));
    for (const outcome of await Promise.allSettled(forgetting)) {
      if (outcome.status === 'rejected')
        log.warn({ err: outcome.reason }, 'a remembered prompt could not be forgotten');
    }
  };
