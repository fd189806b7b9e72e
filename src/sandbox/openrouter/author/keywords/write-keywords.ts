import type { AnswerTo } from '../../../../services/ai/answers.ts';
import { findNiche } from '../find-niche.ts';
import { commercialEndings, informationalForms } from '../material/searches.ts';
import { numberOf, type Tags } from '../read-tags.ts';
import { recordOf } from '../recorded-articles.ts';

type Keyword = AnswerTo<'keywords'>['keywords'][number];

const USUAL_QUANTITY = 50;

/** Short commercial phrases first, questions and narrow ones last, as demand usually goes. */
export function writeKeywords(tags: Tags): AnswerTo<'keywords'> {
  const quantity = numberOf(tags('quantity'), USUAL_QUANTITY);
  const town = townOf(tags('geography'));
  const subjects = subjectsOf(tags);
  const { searches } = recordOf(findNiche('', tags('products'), tags('specialization')));

  const commercial = combined(
    [...commercialEndings, ...searches],
    subjects,
    (subject, ending) => `${subject} ${ending}`,
  );
  const local = town
    ? combined(commercialEndings, subjects, (subject, ending) => `${subject} ${town} ${ending}`)
    : [];
  const informational = combined(informationalForms, subjects, (subject, form) =>
    form.replace('{x}', subject),
  );
  const longTail = combined(
    informationalForms,
    subjects,
    (subject, form) => `${form.replace('{x}', subject)} ${town || 'самому'}`,
  );

  const narrow = searches.flatMap((search) => subjects.map((subject) => `${subject} ${search}`));
  const narrowBought = combined(commercialEndings, narrow, (subject, ending) => `${subject} ${ending}`);
  const narrowRead = combined(informationalForms, narrow, (subject, form) => form.replace('{x}', subject));

  const bought = [...alternating(commercial, local), ...narrowBought].map(
    (phrase): Keyword => ({ phrase, intent: 'commercial' }),
  );
  const read = [...informational, ...longTail, ...narrowRead].map(
    (phrase): Keyword => ({ phrase, intent: 'informational' }),
  );
  const half = Math.ceil(quantity / 2);
  const first = unique(bought).slice(0, half);
  return { keywords: unique([...first, ...read, ...bought]).slice(0, quantity) };
}

/** Jargon is turned into what people type: shorter, without the town and the adjectives of advertising. */
export function writeSeeds(tags: Tags): AnswerTo<'seed_normalize'> {
  const town = townOf(tags('geography'));
  const subjects = subjectsOf(tags).map((subject) =>
    subject
      .split(' ')
      .filter((word) => word !== town && !advertising.test(word))
      .slice(0, 4)
      .join(' '),
  );
  const variants = subjects.flatMap((subject) => [subject, `${subject} цена`, `${subject} заказать`]);
  return { variants: [...new Set([...subjects, ...variants])].filter(Boolean).slice(0, 5) };
}

const advertising = /^(?:лучш|качествен|премиальн|профессиональн|уникальн|эксклюзивн|элитн)/u;

function subjectsOf(tags: Tags): string[] {
  const named = `${tags('products')},${tags('specialization')}`
    .toLowerCase()
    .split(/[,;\n/]+/u)
    .map((part) =>
      part
        .replace(/[^\p{L}\p{N}\s-]/gu, ' ')
        .replace(/\s+/gu, ' ')
        .trim(),
    )
    .map((part) => part.split(' ').slice(0, 5).join(' '))
    .filter((part) => part.length > 2);
  const subjects = [...new Set(named)].slice(0, 8);
  return subjects.length > 0 ? subjects : ['услуги'];
}

/** A country is no town: people do not add it to a search. */
const townOf = (geography: string): string => {
  const town = geography
    .split(/[,;\n]/u)[0]!
    .trim()
    .toLowerCase();
  return /росси|беларус|казахстан|вся|страна|^рф$/u.test(town) ? '' : town;
};

/** No one types «Кухни на заказ заказать»: an ending that the subject has already is left out. */
const combined = (
  forms: readonly string[],
  subjects: readonly string[],
  phrase: (subject: string, form: string) => string,
): string[] =>
  forms.flatMap((form) =>
    subjects
      .filter((subject) => form === '' || !subject.includes(form.slice(0, 5)))
      .map((subject) => phrase(subject, form).replace(/\s+/gu, ' ').trim()),
  );

/** Three of the first to one of the second. */
const alternating = (many: readonly string[], few: readonly string[]): string[] =>
  many.flatMap((item, i) => (i % 3 === 2 ? [item, few[Math.floor(i / 3)] ?? ''] : [item])).filter(Boolean);

function unique(keywords: readonly Keyword[]): Keyword[] {
  return [...new Map(keywords.map((keyword) => [keyword.phrase, keyword])).values()];
}
