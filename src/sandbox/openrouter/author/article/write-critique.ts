import type { AnswerTo } from '../../../../services/ai/answers.ts';
import { slug } from '../../../../services/content/slug.ts';
import { makeChance } from '../chance.ts';
import { fill, type Slots } from '../fill.ts';
import { checklistLeads } from '../material/leads.ts';
import { conclusions, introductions } from '../material/openings.ts';
import { sectionKinds, sectionTitles } from '../material/section-kinds.ts';
import { nicheMaterial } from '../niches/find-niche.ts';
import type { NicheMaterial } from '../niches/niche-material.ts';
import type { Tags } from '../read-tags.ts';
import { type ArticleBrief, readArticleBrief } from './brief.ts';
import { type Draft, fixed, mentions, paragraph, toMarkdown, wordCount } from './draft.ts';
import { faqFor, type Question } from './faq.ts';
import { isFitTitle, metaFor, seoTitleFor, titleFor } from './headlines.ts';
import { mend } from './mend.ts';
import { readDraft } from './read-draft.ts';
import { isConclusionHeading, isFaqHeading } from './read-outline.ts';
import { spreadPhrase, spreadSecondary } from './spread.ts';
import { makeStock } from './stock.ts';

const FEWEST_SECTIONS = 3;

/** Each correction says what it did, or nothing when there was nothing to do. */
type Correction = (draft: Draft, brief: ArticleBrief, niche: NicheMaterial, slots: Slots) => string | null;

const corrections: readonly Correction[] = [
  plainerWords,
  phraseInPlace,
  moreSections,
  questionsAndConclusion,
  checklist,
  moreWords,
  secondaryPhrases,
  denserPhrase,
];

export function writeCritique(tags: Tags): AnswerTo<'article_critique'> {
  const brief = readArticleBrief(tags);
  const { phrase } = brief;
  const niche = nicheMaterial[brief.niche];
  const chance = makeChance(`critique|${phrase.text}|${brief.company}`);
  const slots = { phrase, chance };
  const draft = readDraft(tags('current_markdown'), phrase);
  const kept = isFitTitle(draft.title) && mentions(draft.title, phrase.text);
  if (!kept) draft.title = titleFor(phrase, chance);

  const done = corrections.flatMap((correct) => correct(draft, brief, niche, slots) ?? []);
  const content_markdown = toMarkdown(draft);
  return {
    title: draft.title,
    seo_title: seoTitleFor(phrase, chance),
    meta_description: metaFor(phrase, chance),
    content_markdown,
    faq_schema: questionsIn(draft),
    images_meta: imagesIn(content_markdown),
    changes_summary:
      done.length > 0 ? done.join(' ') : 'Существенных правок не потребовалось, текст оставлен как есть.',
  };
}

const allBlocks = ({ opening, sections, closing }: Draft) => [
  ...opening,
  ...sections.flatMap(({ blocks }) => blocks),
  ...closing,
];

function plainerWords(draft: Draft): string | null {
  const before = toMarkdown(draft);
  for (const block of allBlocks(draft)) {
    if (block.type === 'paragraph') block.text = mend(block.text);
  }
  return toMarkdown(draft) === before
    ? null
    : 'Штампы заменены простыми словами, длинные предложения разделены.';
}

function phraseInPlace(
  draft: Draft,
  { phrase }: ArticleBrief,
  _niche: NicheMaterial,
  slots: Slots,
): string | null {
  if (mentions(draft.opening.find(({ type }) => type === 'paragraph')?.text ?? '', phrase.text)) return null;
  draft.opening.unshift(paragraph(fill(slots.chance.pick(introductions), slots), 'choose'));
  return 'Вступление начинается с главной фразы.';
}

function moreSections(draft: Draft, _brief: ArticleBrief, niche: NicheMaterial, slots: Slots): string | null {
  if (draft.sections.length >= FEWEST_SECTIONS) return null;
  const stock = unwritten(draft, niche, slots);
  const taken = new Set(draft.sections.map(({ kind }) => kind));
  for (const kind of sectionKinds.filter((free) => !taken.has(free))) {
    if (draft.sections.length >= FEWEST_SECTIONS) break;
    const texts = [stock(kind), stock(kind), stock(kind)].filter((text) => text !== null);
    const heading = slots.chance.pick(sectionTitles[kind]);
    draft.sections.push({ heading, kind, blocks: texts.map((text) => paragraph(text, kind)) });
  }
  return 'Добавлены недостающие разделы.';
}

function questionsAndConclusion(
  draft: Draft,
  brief: ArticleBrief,
  niche: NicheMaterial,
  slots: Slots,
): string | null {
  const headings = draft.closing.flatMap(({ text }) => /^##\s+(.+)$/u.exec(text)?.[1] ?? []);
  const hasFaq = headings.some(isFaqHeading);
  const faq = faqFor(brief.questions, niche, slots).flatMap(({ question, answer }) => [
    `### ${question}`,
    answer,
  ]);
  if (!hasFaq) draft.closing.unshift(...['## Частые вопросы', ...faq].map((text) => fixed(text, 'care')));
  const concluded =
    headings.some(isConclusionHeading) && mentions(draft.closing.at(-1)!.text, brief.phrase.text);
  if (!concluded) {
    const conclusion = paragraph(fill(slots.chance.pick(conclusions), slots), 'care');
    draft.closing.push(
      ...(headings.some(isConclusionHeading) ? [] : [fixed('## Коротко о главном', 'care')]),
      conclusion,
    );
  }
  if (hasFaq && concluded) return null;
  return hasFaq ? 'Заключение возвращает к главной фразе.' : 'Добавлен раздел с частыми вопросами.';
}

function checklist(draft: Draft, _brief: ArticleBrief, niche: NicheMaterial, slots: Slots): string | null {
  const last = draft.sections.at(-1);
  if (last === undefined || allBlocks(draft).some(({ text }) => /^(?:[-*]|\d+\.)\s/u.test(text))) return null;
  const items = niche.checklist.map((item) => `- ${item}`).join('\n');
  last.blocks.push(fixed(slots.chance.pick(checklistLeads), last.kind), fixed(items, last.kind));
  return 'Добавлен список для проверки.';
}

function moreWords(draft: Draft, { words }: ArticleBrief, niche: NicheMaterial, slots: Slots): string | null {
  const stock = unwritten(draft, niche, slots);
  let missing = words.min + (words.max - words.min) * 0.3 - wordCount(toMarkdown(draft));
  if (missing <= (words.max - words.min) * 0.3) return null;
  for (let open = [...draft.sections]; missing > 0 && open.length > 0; ) {
    open = open.filter(({ kind, blocks }) => {
      const text = missing > 0 ? stock(kind) : null;
      if (text === null) return false;
      blocks.push(paragraph(text, kind));
      missing -= wordCount(text);
      return true;
    });
  }
  return 'Разделы раскрыты подробнее.';
}

function secondaryPhrases(
  draft: Draft,
  { secondary, phrase }: ArticleBrief,
  _: NicheMaterial,
  { chance }: Slots,
) {
  return changed(draft, 'Раскрыты дополнительные фразы.', () =>
    spreadSecondary(draft, secondary, phrase, chance),
  );
}

function denserPhrase(draft: Draft, { phrase }: ArticleBrief, _niche: NicheMaterial, { chance }: Slots) {
  return changed(draft, 'Главная фраза распределена по разделам ровнее.', () =>
    spreadPhrase(draft, phrase, chance),
  );
}

function changed(draft: Draft, said: string, change: () => void): string | null {
  const before = toMarkdown(draft);
  change();
  return toMarkdown(draft) === before ? null : said;
}

/** Only paragraphs that the article does not have yet. */
function unwritten(draft: Draft, niche: NicheMaterial, slots: Slots): ReturnType<typeof makeStock> {
  const written = toMarkdown(draft);
  const stock = makeStock(niche, slots);
  return (kind) => {
    let text = stock(kind);
    while (text !== null && written.includes(text.slice(0, 30))) text = stock(kind);
    return text;
  };
}

function questionsIn({ closing }: Draft): Question[] {
  return closing.flatMap(({ text }, i) => {
    const [, question] = /^###\s+(.+)$/u.exec(text) ?? [];
    const answer = closing[i + 1]?.text;
    return question && answer ? [{ question, answer }] : [];
  });
}

const imagesIn = (markdown: string) =>
  [...markdown.matchAll(/!\[([^\]]*)\]\([^)"]*(?:"([^"]*)")?\)/gu)].map(([, alt = '', caption = ''], i) => ({
    alt,
    filename: `${slug(alt).slice(0, 60).replace(/-+$/u, '') || 'image'}-${i + 1}`,
    figcaption: caption || alt,
  }));
