import { capitalised } from '../../../../russian.ts';
import type { PostAnswer } from '../../../../services/ai/answers.ts';
import { containsPhrase, sentences, words } from '../../../../services/quality/russian-text.ts';
import { firstSentence, readPrices, reviewIn } from '../article/brief.ts';
import { type Chance, makeChance } from '../chance.ts';
import { fill, type Slots } from '../fill.ts';
import { findNiche } from '../find-niche.ts';
import {
  calls,
  callsWithoutAddress,
  hooks,
  listLeads,
  pinCalls,
  pinCallsWithoutLink,
  pinTitles,
  priceLead,
} from '../material/posts.ts';
import { readPhrase } from '../phrase.ts';
import { numberOf, type Tags } from '../read-tags.ts';
import { readWishes } from '../read-wish.ts';
import { paragraphsAbout, type RecordedArticle, recordOf, type SectionKind } from '../recorded-articles.ts';
import { rulesOf } from './platform-rules.ts';

/** How far into the allowed length a post goes: with a picture, a short one stays a single message. */
const SHORT = 0.3;
const PIN_LENGTH = 400;
const PIN_TITLE_LENGTH = 100;

export function writePost(tags: Tags): PostAnswer {
  const platform = tags('platform');
  const earlier = tags('previous_text');
  const post = composeFor(tags, `post|${platform}|${tags('wish') ? '' : earlier}`);
  if (earlier && tags('wish')) return post.answer(reworded(tags, earlier));
  const { html } = rulesOf(platform);
  const { slots, niche } = post;
  const min = numberOf(tags('words_min'), rulesOf(platform).words.min);
  const max = numberOf(tags('words_max'), rulesOf(platform).words.max);
  const hook = fill(slots.chance.pick(hooks), slots);

  if (platform === 'pinterest') return post.pin([hook, ...tips(niche, slots).flatMap(sentences)], min);

  const list = `${slots.chance.pick(listLeads)}\n${slots.chance
    .shuffled(niche.checklist)
    .slice(0, 3)
    .map((item) => `— ${item}`)
    .join('\n')}`;
  const prices = readPrices(tags('prices_excerpt')).slice(0, 2);
  const priced = prices.map(({ item, price }) => `${item} — ${price}`).join('; ');
  const described = firstSentence(tags('category_description'));
  const review = reviewIn(tags('reviews_excerpt'));
  const call = callFor(tags, slots.chance, html);
  const aim = min + (max - min) * SHORT;
  const body: string[] = [];
  const fixedWords = words([hook, list, described, review, priced, call].join(' ')).length;
  for (const tip of tips(niche, slots)) {
    if (fixedWords + words(body.join(' ')).length >= Math.max(min, aim - 20)) break;
    body.push(tip);
  }
  const [first = '', ...rest] = body;
  const parts = [escaped(first, html), emphasised(list, html), ...rest.map((text) => escaped(text, html))];
  return post.answer([
    html ? `<b>${escaped(hook, html)}</b>` : hook,
    ...parts,
    ...(described ? [escaped(`${described}.`, html)] : []),
    ...(review ? [escaped(`Клиенты говорят: «${review}».`, html)] : []),
    ...(priced ? [escaped(`${priceLead} ${priced}.`, html)] : []),
    call,
  ]);
}

/** What people ask for most, done for real: shorter, without emoji, with a price, with a fact or a topic. */
function reworded(tags: Tags, earlier: string): string[] {
  const { html } = rulesOf(tags('platform'));
  const wish = tags('wish').toLowerCase();
  let paragraphs = earlier
    .replace(/(^|\s)#[\p{L}\p{N}_]+/gu, '$1')
    .split(/\n\s*\n/u)
    .map((part) => part.trim())
    .filter(Boolean);
  const isShorter = /короче|сократи|меньше/u.test(wish);
  if (isShorter && paragraphs.length > 2)
    paragraphs = [paragraphs[0]!, ...paragraphs.slice(1, -1).slice(0, 1), paragraphs.at(-1)!];
  const isPlain = /эмод|смайл/u.test(wish);
  if (isPlain) paragraphs = paragraphs.map((part) => part.replace(/\p{Extended_Pictographic}/gu, '').trim());
  const [price] = readPrices(tags('prices_excerpt'));
  const line = price && `${priceLead} ${price.item} — ${price.price}.`;
  const isPriced = /цен|стоимост|прайс/u.test(wish) && line !== undefined;
  if (isPriced && !paragraphs.join('\n').includes(price!.price))
    paragraphs.splice(-1, 0, escaped(line, html));
  for (const told of readWishes(tags('wish'))) {
    if (told.kind === 'fact') paragraphs.splice(-1, 0, escaped(`${capitalised(told.fact)}.`, html));
    if (told.kind === 'about' && !isPriced)
      paragraphs.splice(
        -1,
        0,
        escaped(`${capitalised(told.topic)} спросите в сообщениях: ответим сразу.`, html),
      );
  }
  return paragraphs;
}

/** The same thought in another house: shorter for a pin, with or without markup, and a way to get in touch. */
export function writeCrossPost(tags: Tags): PostAnswer {
  const platform = tags('target_platform');
  const post = composeFor(tags, `cross|${platform}`, platform);
  const { html } = rulesOf(platform);
  const { slots } = post;
  const paragraphs = plainText(tags('original_text'))
    .split(/\n\s*\n/u)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !isContact(part));
  const [opening = ''] = sentences(paragraphs[0] ?? '');
  const kept = containsPhrase(opening, slots.phrase.text)
    ? paragraphs
    : [fill(slots.chance.pick(hooks), slots), ...paragraphs];

  if (platform === 'pinterest') return post.pin(kept.flatMap(sentences), rulesOf(platform).words.min);
  const [first = '', ...rest] = kept;
  return post.answer([
    html ? `<b>${escaped(first, html)}</b>` : first,
    ...rest.map((line) => escaped(line, html)),
    callFor(tags, slots.chance, html),
  ]);
}

function composeFor(tags: Tags, seed: string, platform = tags('platform')) {
  const phrase = readPhrase(tags('keyword'), tags('company_city'));
  const chance = makeChance(`${seed}|${phrase.text}|${tags('company_name')}`);
  const slots: Slots = { phrase, chance };
  const niche = recordOf(findNiche('', tags('keyword'), tags('specialization')), tags('keyword'));
  const { hashtags } = rulesOf(platform);
  const own = phrase.text.replace(/[^\p{L}\p{N}]/gu, '');
  const chosen = [own, ...chance.shuffled(niche.hashtags.filter((tag) => tag !== own))].slice(0, hashtags);

  const answer = (parts: readonly string[]): PostAnswer => ({
    text: parts.filter(Boolean).join('\n\n'),
    hashtags: chosen,
    pin_title: '',
  });
  const pin = (all: readonly string[], min: number): PostAnswer => {
    const call = chance.pick(tags('website_url') ? pinCalls : pinCallsWithoutLink);
    let text = '';
    for (const sentence of new Set(all)) {
      if (words(text).length >= min) break;
      if (`${text} ${sentence} ${call}`.length <= PIN_LENGTH) text = `${text} ${sentence}`.trim();
    }
    return {
      text: `${text} ${call}`,
      hashtags: chosen,
      pin_title: fill(chance.pick(pinTitles), slots).slice(0, PIN_TITLE_LENGTH),
    };
  };
  return { slots, niche, answer, pin };
}

/** Paragraphs that stand on their own: a post has no place for «во-вторых». */
const tips = (record: RecordedArticle, { phrase, chance }: Slots): string[] => {
  const about = (kind: SectionKind) => paragraphsAbout(record, kind, phrase.text);
  return chance.shuffled([...about('choose'), ...about('care'), ...about('mistakes').slice(0, 1)]);
};

/** One way to get in touch, the nearest first. */
function callFor(tags: Tags, chance: Chance, html: boolean): string {
  const phone = tags('company_phone');
  const address = tags('website_url') || tags('social_link');
  const link =
    html && /^https?:/u.test(address)
      ? `<a href="${escapedAttribute(address)}">на сайте</a>`
      : escaped(address, html);
  const way = phone ? escaped(phone, html) : link;
  return way ? chance.pick(calls).replace('{way}', way) : chance.pick(callsWithoutAddress);
}

const emphasised = (list: string, html: boolean): string => {
  const [lead = '', ...items] = list.split('\n');
  return [html ? `<i>${lead}</i>` : lead, ...items].join('\n');
};

const plainText = (html: string): string =>
  html
    .replace(/<br\s*\/?>|<\/p>/giu, '\n')
    .replace(/<[^>]+>/gu, '')
    .replace(/&lt;/gu, '<')
    .replace(/&gt;/gu, '>')
    .replace(/&quot;/gu, '"')
    .replace(/&amp;/gu, '&')
    .replace(/(^|\s)#[\p{L}\p{N}_]+/gu, '$1');

/** The old call to action belongs to the old place. */
const isContact = (line: string): boolean =>
  callsWithoutAddress.includes(line) || /https?:\/\/|@\w{4,}|\+?\d[\d\s().-]{8,}\d|на сайте\.?$/u.test(line);

const escaped = (text: string, html: boolean): string =>
  html ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : text;
const escapedAttribute = (text: string): string => escaped(text, true).replaceAll('"', '&quot;');
