import type { AnswerTo } from '../../../services/ai/answers.ts';
import { findNiche } from './find-niche.ts';
import type { Tags } from './read-tags.ts';
import { recordOf } from './recorded-articles.ts';

type Profile = AnswerTo<'site_profile'>;

const TOPICS = 3;
const nothing = { name: '', company_name: '', specialization: '', city: '', phone: '', topics: [] };

/** Reads the card of a company off its page: title, foot and headings. */
export function writeSiteProfile(tags: Tags): Profile {
  const page = tags('page');
  const language = /[а-яё]/iu.test(page.replace(/^(?:Заголовок|Описание|Подзаголовки|Коротко|Текст):/gmu, ''))
    ? 'ru'
    : 'en';
  if (/домен продаётся|domain is for sale/iu.test(page)) return { kind: 'parked', language, ...nothing };
  if (language === 'en') return inRussian(page);
  const title = (/^Заголовок: (.+)$/mu.exec(page)?.[1] ?? '').split(':')[0]!.trim();
  const company = /© Компания «([^»]+)»/u.exec(page)?.[1] ?? title;
  const subject = title.toLowerCase();
  const angles = angleNames(findNiche('', subject));
  return {
    kind: 'business',
    language,
    name: company,
    company_name: `ИП «${company}»`,
    specialization: `${title}: консультация, выполнение под заказ и гарантия`,
    city: /© [^,]+, (\p{Lu}[\p{L}-]+)/u.exec(page)?.[1] ?? '',
    phone: /Телефон ([+\d][\d\s()-]{8,}\d)/u.exec(page)?.[1] ?? '',
    topics: angles.map((angle) => topicOf(subject, angle)),
  };
}

const angleNames = (niche: Parameters<typeof recordOf>[0]): string[] =>
  ['выбор', 'уход', 'частые ошибки'].slice(
    0,
    Math.max(1, Math.min(TOPICS, Object.keys(recordOf(niche).sections).length)),
  );

const topicOf = (subject: string, angle: string): Profile['topics'][number] => ({
  name: `${subject.charAt(0).toUpperCase()}${subject.slice(1)}: ${angle}`,
  about: `Компания помогает с темой «${subject}» и рассказывает про ${angle}. Всё, что нужно знать заранее, мастер объясняет до начала работы.`,
  phrases: [
    `как выбрать ${subject}`,
    `${subject} на что обратить внимание`,
    `частые ошибки ${subject}`,
    `${subject} ${angle} советы мастера`,
    `чем отличаются виды ${subject}`,
    `сколько служит ${subject}`,
  ],
});

/** A site in English, as a model would translate it. */
const inRussian = (page: string): Profile => ({
  kind: 'business',
  language: 'en',
  name: /^Заголовок: ([^—–:]+)/mu.exec(page)?.[1]?.trim() ?? '',
  company_name: '',
  specialization: 'Кухни, шкафы-купе и кровати на заказ, замер и установка',
  city: /\bKazan\b/u.test(page) ? 'Казань' : '',
  phone: /Call ([+\d][\d\s()-]{8,}\d)/u.exec(page)?.[1] ?? '',
  topics: ['кухни на заказ', 'шкафы-купе', 'кровати с мягким изголовьем'].map((subject) =>
    topicOf(subject, 'выбор'),
  ),
});
