import { words } from '../../../../services/quality/russian-text.ts';
import { readPrices } from '../article/brief.ts';
import { makeChance } from '../chance.ts';
import { findNiche } from '../find-niche.ts';
import { descriptionOpenings } from '../material/description.ts';
import { readPhrase } from '../phrase.ts';
import { linesOf, type Tags } from '../read-tags.ts';
import { paragraphsAbout, recordOf } from '../recorded-articles.ts';

const FEWEST_WORDS = 110;

/** Plain paragraphs about a section of the company's work: what it is, how one chooses, what the company says. */
export function writeDescription(tags: Tags): string {
  const name = tags('category_name');
  const { capital } = readPhrase(name);
  const chance = makeChance(`description|${name}|${tags('company_name')}|${tags('previous_text')}`);
  const record = recordOf(findNiche('', name, tags('specialization')));

  const opening = chance
    .pick(descriptionOpenings)
    .replace('{Name}', capital)
    .replace('{specialization}', sentenceEnd(tags('specialization') || name));
  const asked = linesOf(tags('keywords_sample')).slice(0, 3);
  const searched = asked.length > 0 ? `Чаще всего спрашивают про «${asked.join('», «')}».` : '';
  const body = [`${opening} ${searched}`.trim(), ...chance.shuffled(paragraphsAbout(record, 'choose', name))];
  const company = aboutCompany(tags);
  const kept: string[] = [];
  for (const text of body) {
    if (kept.length > 0 && words([...kept, company].join(' ')).length >= FEWEST_WORDS) break;
    kept.push(text);
  }
  return [...kept, company].filter(Boolean).join('\n\n');
}

function aboutCompany(tags: Tags): string {
  const [price] = readPrices(tags('prices_excerpt'));
  const said = [
    tags('company_name') &&
      `${tags('company_name')}: ${sentenceEnd(tags('company_description') || tags('specialization'))}`,
    tags('advantages') && `Сильные стороны: ${lowered(sentenceEnd(tags('advantages')))}`,
    tags('experience') && `Опыт: ${lowered(sentenceEnd(tags('experience')))}`,
    tags('city') && `Где работаем: ${sentenceEnd(tags('city'))}`,
    price && `Ориентир по прайс-листу: ${price.item} — ${price.price}.`,
  ];
  return said.filter(Boolean).join(' ');
}

const sentenceEnd = (text: string): string => `${text.replace(/\s+/gu, ' ').replace(/[.\s]+$/u, '')}.`;
const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
