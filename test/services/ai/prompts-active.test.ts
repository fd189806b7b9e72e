import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { describe, expect, inject, it } from 'vitest';
import { loadPromptFiles } from '../../../src/services/ai/prompt-file.ts';
import {
  filePrompts,
  makeActivePrompt,
  makeSyncPrompts,
  promptsFolder,
  shippedPrompts,
} from '../../../src/services/ai/prompts.ts';
import { createMemoryKeyValueStore } from '../../../src/store/key-value-memory.ts';
import { makePromptVersions } from '../../../src/store/prompt-versions.ts';
import { forEachDatabase } from '../../support/stores.ts';

const files = await loadPromptFiles(promptsFolder);
const article = files.findLast(({ task }) => task === 'article')!;
const greeting = 'Напиши статью по этим данным.';
const edited = article.yaml.replace(greeting, 'Напиши заметку.');
const HOUR_MS = 3_600_000;

describe('the prompt in force', () => {
  it('is the active row of the database, asked for once an hour', async () => {
    const stage = aStage({ version: 'v8', yaml: edited });
    expect(await stage.opening()).toBe('Напиши заметку.');
    expect(await stage.opening()).toBe('Напиши заметку.');
    expect(stage.asked()).toBe(1);
    stage.wait(HOUR_MS + 1);
    await stage.opening();
    expect(stage.asked()).toBe(2);
  });

  it('follows a row edited in the database as soon as the old text is forgotten', async () => {
    const stage = aStage({ version: 'v8', yaml: article.yaml });
    expect(await stage.opening()).toBe(greeting);
    stage.row = { version: 'v8', yaml: edited };
    stage.wait(HOUR_MS - 1);
    expect(await stage.opening()).toBe(greeting);
    stage.wait(2);
    expect(await stage.opening()).toBe('Напиши заметку.');
  });

  it.each([
    ['there is no row', null],
    ['the row is no YAML', { version: 'v8', yaml: 'meta: [' }],
    [
      'the row asks for a variable that does not exist',
      { version: 'v8', yaml: edited.replace('<< city >>', '<< town >>') },
    ],
    [
      'the row needs what this release does not give',
      {
        version: 'v8',
        yaml: edited.replace('variables:\n', 'variables:\n  - { name: mood, required: true }\n'),
      },
    ],
    ['the row holds another version', { version: 'v7', yaml: edited }],
    [
      'the row holds another task',
      { version: 'v1', yaml: files.find(({ task }) => task === 'review')!.yaml },
    ],
  ])('is the shipped one, and the log says so, when %s', async (_why, row) => {
    const stage = aStage(row);
    expect(await stage.opening()).toBe(greeting);
    expect(stage.warnings()).toEqual(['the stored prompt cannot be used, the shipped one serves']);
    stage.row = { version: 'v8', yaml: edited };
    expect(await stage.opening()).toBe('Напиши заметку.');
  });

  it('is the shipped one while the database is away', async () => {
    const stage = aStage(new Error('connection refused'));
    expect(await stage.opening()).toBe(greeting);
    expect(stage.warnings()).toHaveLength(1);
  });

  it('does not depend on the cache', async () => {
    const broken = { get: failing, set: failing, delete: failing };
    const stage = aStage({ version: 'v8', yaml: edited }, broken);
    expect(await stage.opening()).toBe('Напиши заметку.');
    expect(stage.warnings()).toEqual([
      'the remembered prompt could not be read',
      'the prompt could not be remembered',
    ]);
  });

  it('is read anew when the cache holds something else', async () => {
    const stage = aStage({ version: 'v8', yaml: edited });
    await stage.cache.set('prompt:article', 'rubbish', 60);
    expect(await stage.opening()).toBe('Напиши заметку.');
  });
});

forEachDatabase((sql) => {
  it('comes into force with the release, not an hour later', async () => {
    const versions = makePromptVersions(sql());
    const cache = createMemoryKeyValueStore();
    const { log } = readableLog();
    const activePrompt = makeActivePrompt({ versions, cache, shipped: shippedPrompts(files), log });
    const syncPrompts = makeSyncPrompts({ versions, cache, log });
    const user = async () => (await activePrompt('article')).user.fill({});

    await syncPrompts(files.map((file) => (file === article ? { ...file, yaml: edited } : file)));
    expect(await user()).toContain('Напиши заметку.');
    await syncPrompts(files);
    expect(await user()).toContain(greeting);
  });
});

it('a cache that is away does not stop a release', async () => {
  const { log, lines } = readableLog();
  const broken = { get: failing, set: failing, delete: failing };
  await makeSyncPrompts({ versions: { sync: async () => ['article'] }, cache: broken, log })(files);
  expect(lines.map(({ msg }) => msg)).toContain('a remembered prompt could not be forgotten');
});

describe('prompts in files', () => {
  it('serve without a database', async () => {
    expect((await (await filePrompts())('social_post')).name).toBe('social_v4');
  });

  it('serve in their newest version', async () => {
    const next = { ...article, version: 'v10', prompt: { ...article.prompt, name: 'article_v10' } };
    expect((await shippedPrompts([next, ...files])('article')).name).toBe('article_v10');
  });

  it('are refused when a task is missing', () => {
    expect(() => shippedPrompts(files.filter(({ task }) => task !== 'review'))).toThrow(
      /no prompt for review/u,
    );
  });

  it.each([
    ['poem_v1.yaml', article.yaml, /poem_v1\.yaml: should be called article_v8\.yaml/u],
    ['article_v8.yaml', 'meta: 1', /article_v8\.yaml: meta/u],
  ])('are refused by name: %s', async (name, yaml, complaint) => {
    const folder = await mkdtemp(join(inject('scratchDir'), 'prompts-'));
    await writeFile(join(folder, name), yaml);
    await expect(loadPromptFiles(pathToFileURL(`${folder}/`))).rejects.toThrow(complaint);
  });
});

type Row = { version: string; yaml: string } | null | Error;

function aStage(row: Row, brokenCache?: Parameters<typeof makeActivePrompt>[0]['cache']) {
  let now = 0;
  let asked = 0;
  const { log, lines } = readableLog();
  const cache = brokenCache ?? createMemoryKeyValueStore(() => now);
  const stage = { row, cache, opening, wait, asked: () => asked, warnings };
  const activePrompt = makeActivePrompt({ versions: { active }, cache, shipped: shippedPrompts(files), log });
  return stage;

  async function active() {
    asked += 1;
    if (stage.row instanceof Error) throw stage.row;
    return stage.row;
  }
  async function opening() {
    return (await activePrompt('article')).user.fill({}).split('\n')[0];
  }
  function wait(ms: number) {
    now += ms;
  }
  function warnings() {
    return lines.filter(({ level }) => level === 40).map(({ msg }) => msg);
  }
}

function readableLog() {
  const lines: { level: number; msg: string }[] = [];
  return { lines, log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }) };
}

async function failing(): Promise<never> {
  throw new Error('the cache is away');
}
