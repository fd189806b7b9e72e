import type { Chance } from '../chance.ts';
import { checklistLeads, companyLeads, priceLeads, tableLeads } from '../material/leads.ts';
import type { SectionKind } from '../material/section-kinds.ts';
import type { NicheMaterial } from '../niches/niche-material.ts';
import type { ArticleBrief } from './brief.ts';
import { type Block, type Draft, fixed, paragraph, type Section } from './draft.ts';

/** The table, the list, the prices, a fact found and a word about the company, each in the section it belongs to. */
export function insertExtras(draft: Draft, brief: ArticleBrief, niche: NicheMaterial, chance: Chance): void {
  const { head, rows } = niche.table;
  put(sectionFor(draft, ['compare', 'choose'], 0), (kind) => [
    fixed(chance.pick(tableLeads), kind),
    fixed(table(head, rows), kind),
  ]);
  put(sectionFor(draft, ['order', 'care', 'mistakes', 'timing'], -1), (kind) => [
    fixed(chance.pick(checklistLeads), kind),
    fixed(niche.checklist.map((item) => `- ${item}`).join('\n'), kind),
  ]);
  if (brief.prices.length > 0) {
    const priced = brief.prices.map(({ item, price }) => [item, price]);
    put(sectionFor(draft, ['price'], 1), (kind) => [
      fixed(chance.pick(priceLeads), kind),
      fixed(table(['Позиция', 'Цена'], priced), kind),
    ]);
  }
  const [fact] = chance.shuffled(brief.facts);
  if (fact !== undefined) {
    put(sectionFor(draft, ['contract', 'price', 'choose'], 0), (kind) => [
      paragraph(
        `${fact.claim} Основание: ${fact.source}, ${fact.year} год. Проверить нетрудно, текст открыт.`,
        kind,
      ),
    ]);
  }
  if (brief.description) {
    put(sectionFor(draft, ['choose', 'compare'], 0), (kind) => [paragraph(`${brief.description}.`, kind)]);
  }
  if (brief.review) {
    put(sectionFor(draft, ['order', 'choose', 'price'], -1), (kind) => [
      paragraph(`Клиенты говорят об этом просто: «${brief.review}».`, kind),
    ]);
  }
  if (brief.company && brief.advantages) {
    put(sectionFor(draft, ['order', 'choose', 'price'], 0), (kind) => [
      paragraph(aboutCompany(brief, chance), kind),
    ]);
  }
}

function put(section: Section | undefined, blocks: (kind: SectionKind) => Block[]): void {
  if (section === undefined) return;
  const after = section.blocks.filter(({ kind }) => kind === section.kind).length;
  section.blocks.splice(Math.min(2, after), 0, ...blocks(section.kind));
}

function sectionFor(
  { sections }: Draft,
  kinds: readonly SectionKind[],
  otherwise: number,
): Section | undefined {
  const wanted = kinds.flatMap((kind) => sections.find((section) => section.kind === kind) ?? []);
  return wanted[0] ?? sections.at(otherwise) ?? sections.at(-1);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function aboutCompany({ company, advantages }: ArticleBrief, chance: Chance): string {
  const told = advantages.replace(/\s+/gu, ' ').replace(/[.\s]+$/u, '');
  return chance
    .pick(companyLeads)
    .replace('{company}', company.replace(/[«»"]/gu, ''))
    .replace('{advantages}', told.charAt(0).toLowerCase() + told.slice(1));
}
