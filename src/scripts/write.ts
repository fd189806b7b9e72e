import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { createGuardedFetch } from '../clients/http/guarded-fetch.ts';
import { composeWriting } from '../compose/writing.ts';
import { BadConfig, loadConfig } from '../config.ts';
import { imageSettings, textSettings } from '../content-settings.ts';
import type { RunStage } from '../engine/operations.ts';
import { AppError } from '../errors.ts';
import { createLog } from '../log.ts';
import {
  isPlatform,
  type Platform,
  type PostPlatform,
  platformNames,
  takesPosts,
} from '../platforms/platforms.ts';
import { startSupplierStandIns } from '../sandbox/supplier-stand-ins.ts';
import { filePrompts } from '../services/ai/prompts.ts';
import { articlePage } from '../services/article/article-page.ts';
import type { Brief } from '../services/projects/brief.ts';
import { createMemoryKeyValueStore } from '../store/key-value-memory.ts';
import { createPicturesInMemory } from './pictures-in-memory.ts';
import { createProgressDisplay } from './progress-display.ts';

const usage = `npm run write -- --topic "пластиковые окна" [options]

  --topic "…"      the phrase to write about
  --out file.html  where the article goes; without it the text is printed
  --for platform   a post instead: telegram, vk, pinterest or max
  --company "…"    name of the company           --about "…"  what it does
  --city "…"       where it works                --site URL   its site
  --words 1500-2500  how long                    --images 4   how many pictures, up to 10
  --prices "a — 100; b — 200"  a price list

The settings are the bot's: a supplier with neither key nor address is played by a local stand-in.`;

const options = {
  topic: { type: 'string' },
  out: { type: 'string' },
  for: { type: 'string', default: 'wordpress' },
  company: { type: 'string', default: 'Мастерская «Образец»' },
  about: { type: 'string' },
  city: { type: 'string', default: '' },
  site: { type: 'string', default: '' },
  words: { type: 'string' },
  images: { type: 'string' },
  prices: { type: 'string', default: '' },
  help: { type: 'boolean', default: false },
} as const;

/** The person at the terminal is not charged. */
const NO_PERSON = 0;

try {
  await main();
} catch (error) {
  const known = error instanceof BadConfig || error instanceof TypeError || error instanceof AppError;
  console.error(known ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values: given } = parseArgs({ options });
  const topic = given.topic?.trim();
  if (given.help || !topic) {
    console.log(usage);
    if (!given.help) process.exitCode = 1;
    return;
  }
  // Everything that was typed is looked at first: what comes then may cost money.
  const platform = platformOf(given.for);
  const words = wordsOf(given.words);
  const text = textSettings(platform, words, words);
  const images = { ...imageSettings(platform, {}, null), ...countOf(given.images) };
  if (given.out && !existsSync(dirname(given.out)))
    throw new TypeError(`Expected --out in a folder that is there, got ${given.out}`);
  if (existsSync('.env')) process.loadEnvFile();
  const config = loadConfig(process.env);
  const log = createLog(process.env.LOG_LEVEL ? config.logLevel : 'warn', false);
  const standIns = await startSupplierStandIns(config.suppliers);
  const pictures = createPicturesInMemory();
  const display = createProgressDisplay(process.stderr);
  let costUsd = 0;
  const writing = composeWriting({
    suppliers: standIns.suppliers,
    publicUrl: config.publicUrl,
    fetch: createGuardedFetch({ allowPrivate: config.allowPrivateUrls }),
    cache: createMemoryKeyValueStore(),
    pictures,
    activePrompt: await filePrompts(),
    noteCost: async (cost) => {
      costUsd += cost.costUsd;
    },
    log,
  });

  const brief: Brief = {
    company: {
      name: given.company,
      specialization: given.about ?? topic,
      description: '',
      experience: '',
      advantages: '',
      city: given.city,
      phone: '',
      websiteUrl: given.site,
      telegram: '',
      vk: '',
      pinterest: '',
    },
    topic: { name: topic, description: '', prices: given.prices.replaceAll(/;\s*/gu, '\n'), reviews: [] },
  };
  // Interrupted, the command starts from the beginning: it keeps no stages.
  const stage: RunStage = (_, work) => work();
  const signal = new AbortController().signal;

  try {
    if (takesPosts(platform)) return await writeOnePost(platform);
    const article = await writing.writeArticle(
      { ...brief, projectId: NO_PERSON, mainPhrase: topic, cluster: null, text, images, colors: {} },
      { userId: NO_PERSON, stage, signal, report: display.stage },
    );
    display.done();
    const page = articlePage(article, pictures.asDataUri);
    if (given.out) await writeFile(given.out, page);
    else console.log(article.html);
    console.error(
      [
        '',
        article.title,
        `${article.words} words · ${article.sections} sections · ${article.images.length} of ${article.imagesWanted} pictures · score ${article.score}`,
        ...article.notes.map(({ text: note }) => `• ${note}`),
        `${authorOf(article.modelUsed)} · ${article.promptVersion} · ${(article.generationTimeMs / 1_000).toFixed(1)} s`,
        ...(given.out ? [`→ ${given.out}`] : []),
      ].join('\n'),
    );
  } finally {
    display.done();
    await writing.close();
    await standIns.close();
  }

  /** A stand-in repeats the name of the model it was asked for, and its price is not real. */
  function authorOf(model: string): string {
    return config.suppliers.openRouter
      ? `${model} · $${costUsd.toFixed(4)}`
      : 'written by the local stand-in, not by a model: set OPENROUTER_API_KEY for real texts';
  }

  async function writeOnePost(target: PostPlatform): Promise<void> {
    display.stage('writing');
    const post = await writing.writePost({
      brief,
      platform: target,
      keyword: topic!,
      settings: text,
      userId: NO_PERSON,
      stage,
      signal,
    });
    display.done();
    console.log([post.title, post.text].filter(Boolean).join('\n\n'));
    console.error(`\n${post.words} words · ${authorOf(post.modelUsed)} · ${post.promptVersion}`);
  }
}

function platformOf(name: string): Platform {
  if (isPlatform(name)) return name;
  throw new TypeError(`Expected --for ${platformNames.join(', ')}, got ${name}`);
}

function countOf(images: string | undefined): { count?: number } {
  if (images === undefined) return {};
  if (!/^(?:\d|10)$/u.test(images)) throw new TypeError(`Expected --images from 0 to 10, got ${images}`);
  return { count: Number(images) };
}

function wordsOf(range: string | undefined): { words_min?: number; words_max?: number } | null {
  if (!range) return null;
  const [min, max] = range.split('-').map(Number);
  if (!min || !max || min > max) throw new TypeError(`Expected --words as 1500-2500, got ${range}`);
  return { words_min: min, words_max: max };
}
