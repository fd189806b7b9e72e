import { readFileSync } from 'node:fs';

/** Words of a model to its client, which must not appear in an article. */

const says: readonly RegExp[] = [
  /(?<!\p{L})(?:как|я\s*[—–-]?\s*)\s*(?:большая\s+)?(?:языков\p{L}+ модел\p{L}+|ии[- ](?:модел|ассистент|помощник)\p{L}*|искусственный интеллект)(?=[\s,.!—–-])[^.!?]{0,20}(?:,|я|не)/giu,
  /(?<!\p{L})я\s+(?:\p{L}+\s+)?не (?:могу|имею возможности)\s+(?:\p{L}+\s+)?(?:написать|создать|сгенерировать|выполнить|обработать|предоставить|помочь)/giu,
  /(?<!\p{L})не могу (?:выполнить|обработать|помочь с) (?:этот|эту|этим|ваш|данный) (?:запрос|просьб)/giu,
  /(?<!\p{L})(?:вот|ниже)\s+(?:ваша?\s+|готовая?\s+|сама?\s+|обновлённая?\s+|исправленная?\s+)?(?:статья|текст|вариант статьи|версия статьи)\s*(?:[:!.]|по (?:вашему|заданн)|на тему|в формате)/giu,
  /^(?:конечно|разумеется|безусловно|с удовольствием|отлично|хорошо)\s*[!,.]\s*(?:вот|ниже|я|давайте|статья|держите|готово)/gimu,
  /(?<!\p{L})(?:надеюсь,? (?:эта статья|этот текст|это|статья) (?:вам )?(?:поможет|соответствует)|если (?:нужно|хотите|потребуется),? я (?:могу|готов))/giu,
  /(?<!\p{L})(?:as an ai|as a language model|i(?:'m| am) (?:sorry|unable)|i can(?:not|'t) (?:help|assist|write|provide)|sure[!,] here|here(?:'s| is) (?:the|your) article)/giu,
  /<\/?(?:script|style|iframe|object|embed|svg|form|input|meta|link)\b|javascript:|\bon(?:error|load|click)\s*=|document\.cookie/giu,
  /"?(?:content_markdown|faq_schema|images_meta|seo_title|changes_summary)"?\s*:/gu,
  /<\/?(?:company_name|main_phrase|secondary_phrases|internal_links|current_research|competitor_\w+|prices_excerpt|current_markdown|quality_issues)>/giu,
];

/** Words in a row that an article shares with our own instructions only by copying them. */
const COPIED_WORDS = 9;
const promptFiles = ['article_v7', 'article_critique_v1', 'article_outline_v1'];

/**
 * The first such place; null for an honest text. Block by block, as it is read. What stands in the customer's `own` words
 * is none: found by the place and not by the whole name, because models write a name with other quotes or in another case.
 */
export function modelTalkIn(blocks: readonly string[], own: readonly string[] = []): string | null {
  const ownWords = own.join('\n').toLowerCase();
  for (const block of blocks) {
    for (const pattern of says) {
      const found = block.match(pattern)?.find((place) => !ownWords.includes(place.toLowerCase()));
      if (found !== undefined) return found;
    }
    const copied = copiedFrom(block);
    if (copied) return copied;
  }
  return null;
}

function copiedFrom(block: string): string | null {
  const words = wordsOf(block);
  if (words.length < COPIED_WORDS) return null;
  instructions ??= readInstructions();
  for (let at = 0; at + COPIED_WORDS <= words.length; at += 1) {
    const run = words.slice(at, at + COPIED_WORDS).join(' ');
    if (instructions.has(run)) return run;
  }
  return null;
}

let instructions: Set<string> | undefined;

/** Of the files that come with the program. One that was changed in the database still shares most of its sentences. */
function readInstructions(): Set<string> {
  const runs = new Set<string>();
  for (const name of promptFiles) {
    const file = new URL(`../../../prompts/${name}.yaml`, import.meta.url);
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const words = wordsOf(line.replace(/<<.*?>>|<%.*?%>/gu, ' '));
      for (let at = 0; at + COPIED_WORDS <= words.length; at += 1)
        runs.add(words.slice(at, at + COPIED_WORDS).join(' '));
    }
  }
  return runs;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
