import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cyclesOf, readHouse } from '../src/charts/read-house.ts';
import { platformNames } from '../src/platforms/platforms.ts';

/** Laws about who may know whom. A broken one names the file and the line of thought it broke. */

/** Data that stands in the folder of the platforms, and that everyone may read. */
const platformTable = 'src/platforms/platforms.ts';

const root = join(import.meta.dirname, '..');
const files = ['machines', 'src', 'test'].flatMap(sourcesIn).map(readSource);
const inside = (...folders: string[]) =>
  files.filter(({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)));

describe('a machine decides, it never does', () => {
  it('imports XState and its own folder only', () => {
    const strangers = importsOf(inside('machines')).filter(
      ({ target }) => target !== 'xstate' && !target.startsWith('machines/'),
    );
    expect(strangers.map(told)).toEqual([]);
  });

  it('has no clock, chance, timer, network or process in it', () => {
    const effects = /\b(Date|Math\.random|randomUUID|setTimeout|setInterval|fetch|process|console)\b/u;
    expect(linesWith(inside('machines'), effects)).toEqual([]);
  });

  it('says nothing to the person: no Russian text', () => {
    expect(linesWith(inside('machines'), russian)).toEqual([]);
  });
});

describe('imports point inward', () => {
  const mayNotImport = {
    'src/screens': [
      'engine',
      'messengers',
      'store',
      'services',
      'platforms',
      'autopost',
      'clients',
      'http',
      'sandbox',
      'menu',
    ],
    'src/engine': ['messengers', 'http', 'store', 'services', 'platforms', 'autopost', 'sandbox'],
    'src/services': ['messengers', 'http', 'menu', 'autopost', 'sandbox'],
    'src/platforms': ['messengers', 'http', 'menu', 'autopost', 'sandbox'],
    'src/autopost': ['messengers', 'http', 'menu', 'sandbox'],
    'src/store': ['messengers', 'http', 'menu', 'platforms', 'autopost', 'sandbox'],
    'src/clients': ['messengers', 'http', 'menu', 'screens', 'store', 'platforms', 'autopost', 'sandbox'],
    'src/charts': [
      'engine',
      'messengers',
      'http',
      'store',
      'services',
      'platforms',
      'autopost',
      'clients',
      'sandbox',
      'menu',
      'screens',
    ],
  };

  it.each(Object.entries(mayNotImport))('%s does not reach out to %j', (folder, outer) => {
    const outward = importsOf(inside(folder)).filter(
      ({ target }) => target !== platformTable && outer.some((name) => target.startsWith(`src/${name}/`)),
    );
    expect(outward.map(told)).toEqual([]);
  });

  /** Types may point outward: a dependency is a type declared by its user. */
  const mayOnlyKnowTheTypesOf = {
    'src/services': ['screens'],
    'src/store': ['screens', 'services'],
    'src/platforms': ['screens'],
    'src/clients': ['services', 'engine'],
  };

  it.each(Object.entries(mayOnlyKnowTheTypesOf))('%s knows no more than types of %j', (folder, outer) => {
    const outward = importsOf(inside(folder)).filter(
      ({ target, isType }) => !isType && outer.some((name) => target.startsWith(`src/${name}/`)),
    );
    expect(outward.map(told)).toEqual([]);
  });

  it('lets only main.ts, commands and tests see the sandbox', () => {
    const others = importsOf(inside('src')).filter(
      ({ from, target }) =>
        target.startsWith('src/sandbox/') &&
        from !== 'src/main.ts' &&
        !/^src\/(?:sandbox|scripts)\//u.test(from),
    );
    expect(others.map(told)).toEqual([]);
  });

  it('leaves HTTP to the clients, to our own server and to the stand-ins', () => {
    const others = importsOf(inside('src')).filter(
      ({ from, target }) =>
        /^(?:undici|node:https?)$/u.test(target) && !/^src\/(?:clients|http|platforms|sandbox)\//u.test(from),
    );
    expect(others.map(told)).toEqual([]);
  });

  it('keeps tests out of the product', () => {
    const testing = importsOf(inside('src', 'machines')).filter(({ target }) =>
      /^(test\/|vitest)/u.test(target),
    );
    expect(testing.map(told)).toEqual([]);
  });
});

describe('platforms are one table', () => {
  const named = platformNames.join('|');

  it('that imports nothing, so that everyone may read it', () => {
    const imports = importsOf(files.filter(({ path }) => path === platformTable));
    expect(imports.filter(({ isType }) => !isType).map(told)).toEqual([]);
  });

  it('and code outside of their folders asks for a property, not for a name', () => {
    const compared = new RegExp(
      `(?:[!=]==? ?'(?:${named})'|'(?:${named})' ?[!=]==?|case '(?:${named})':|platform(?:_type)? (?:=|<>) '(?:${named})')`,
      'u',
    );
    // Stand-ins play the platforms themselves.
    const outside = inside('src', 'machines').filter(
      ({ path }) => !/^src\/(?:platforms|sandbox)\//u.test(path),
    );
    expect(linesWith(outside, compared)).toEqual([]);
    expect("connection.platform === 'vk'").toMatch(compared);
  });

  it('none of which knows another', () => {
    const folderOf = (path: string) => new RegExp(`^src/platforms/(${named})/`, 'u').exec(path)?.[1];
    const between = importsOf(inside('src/platforms')).filter(
      ({ from, target }) => folderOf(from) && folderOf(target) && folderOf(from) !== folderOf(target),
    );
    expect(between.map(told)).toEqual([]);
  });
});

it('no folder imports code that leads back to it', () => {
  const house = readHouse(root);
  expect(house.size).toBeGreaterThan(15);
  expect(cyclesOf(house)).toEqual([]);
  expect(
    cyclesOf(
      new Map([
        ['a', new Map([['b', 1]])],
        ['b', new Map([['a', 1]])],
      ]),
    ),
  ).toEqual(['a → b → a', 'b → a → b']);
});

describe('a file is named for what it does', () => {
  it('is no drawer and no barrel', () => {
    const drawers = files.filter(({ path }) =>
      ['utils.ts', 'helpers.ts', 'index.ts'].includes(basename(path)),
    );
    expect(drawers.map(({ path }) => path)).toEqual([]);
  });

  it('is written in kebab-case', () => {
    const odd = files.filter(({ path }) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*\.ts$/u.test(basename(path)));
    expect(odd.map(({ path }) => path)).toEqual([]);
  });
});

it('what is exported is used elsewhere: the word tells what a file offers', () => {
  const places = new Map<string, Set<string>>();
  for (const { path, code } of files)
    for (const [word] of code.matchAll(/[\w$]+/gu))
      places.set(word, (places.get(word) ?? new Set()).add(path));
  const idle = inside('machines', 'src').flatMap(({ path, code }) =>
    [...code.matchAll(/^export (?:async )?(?:const|function|class|type) ([\w$]+)/gmu)]
      .filter(([, name]) => places.get(name!)!.size === 1)
      .map(([, name]) => `${path}: ${name}`),
  );
  expect(idle).toEqual([]);
});

it('the engine knows no product: another bot brings a registry, screens and a menu of its own', () => {
  const registries = importsOf(inside('src/engine')).filter(({ target }) =>
    /registry|screens\/(flows|pages)/u.test(target),
  );
  expect(registries.map(told)).toEqual([]);
  const names = /['`](?:project|category|keyword|article|draft|conn|kw|pc|wp|pub|nav|first)[:_]/u;
  expect(linesWith(inside('src/engine'), names)).toEqual([]);
});

it('the engine, the menu and the stores have no words for the person', () => {
  expect(linesWith(inside('src/engine', 'src/menu', 'src/store'), russian)).toEqual([]);
});

it('every command has the settings of the file .env, as the bot has them', () => {
  const reading = inside('src').filter(({ code }) => code.includes('loadConfig(process.env)'));
  const forgetful = reading.filter(({ code }) => !code.includes('process.loadEnvFile()'));
  expect(reading).not.toEqual([]);
  expect(forgetful.map(({ path }) => path)).toEqual([]);
});

type Source = { path: string; code: string };

const russian = /\p{Script=Cyrillic}/u;

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));
}

/** Without comments: they may tell an example in any language. */
function readSource(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  const blank = (comment: string) => comment.replace(/[^\n]/gu, '');
  return { path, code: text.replace(/\/\*[\s\S]*?\*\//gu, blank).replace(/(?<=^|\s)\/\/\s.*$/gmu, '') };
}

type Import = { from: string; target: string; isType: boolean };

function importsOf(sources: Source[]): Import[] {
  const specifiers =
    /(?<type>\b(?:import|export) type \{[^}]*\}\s*)?\b(?:from|import)\s*\(?\s*'(?<specifier>[^']+)'/gu;
  return sources.flatMap(({ path, code }) =>
    [...code.matchAll(specifiers)].map(({ groups: { type, specifier = '' } = {} }) => ({
      from: path,
      target: specifier.startsWith('.') ? join(dirname(path), specifier) : specifier,
      isType: type !== undefined,
    })),
  );
}

function linesWith(sources: Source[], pattern: RegExp): string[] {
  return sources.flatMap(({ path, code }) =>
    code.split('\n').flatMap((line, i) => (pattern.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
  );
}

const told = ({ from, target }: Import): string => `${from} imports ${target}`;
