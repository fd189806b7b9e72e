import { detectNiche, type Niche, niches } from '../../../services/quality/niches.ts';

/** Words that the product leaves to the general niche, but about which the writer knows more. */
const closer: readonly [RegExp, Niche][] = [
  [/груминг|собак|кошк|щен|питом/u, 'pets'],
  [/детс?к(?:ий|ого|ом) сад|малыш|нян[яи]|дошкол/u, 'children'],
  [/зуб|имплант|брекет|массаж/u, 'medical'],
  [/ногт|брови|ресниц|стрижк|барбер/u, 'beauty'],
  [/окн|потолк|двер|сантех|плитк|клининг|уборк/u, 'realestate'],
  [/диван|матрас|кровать|стол[ыа]?(?![а-я])/u, 'furniture'],
  [/кофе|пицц|суши|торт|банкет|хлеб|чай/u, 'food'],
  [/язык|английск|егэ|уроки/u, 'education'],
  [/тур[ыа]?(?![а-я])|экскурс|круиз|поход|отдых|отпуск/u, 'travel'],
  [/налог|учёт|учет/u, 'finance'],
  [/развод|наследств|банкротств/u, 'legal'],
  [/фундамент|цемент|щебень|блок/u, 'construction'],
  [/лендинг|дизайн сайт|приложени|чат-бот/u, 'it'],
  [/тренир|пилатес|растяжк|бассейн/u, 'sport'],
];

/** The niche the prompt names; when it names none, the one the words give away. */
export function findNiche(named: string, ...texts: readonly string[]): Niche {
  if (named !== 'general' && niches.some(({ niche }) => niche === named)) return named as Niche;
  const text = texts.join(' ').toLowerCase();
  const { niche } = detectNiche(text);
  return niche === 'general' ? (closer.find(([mark]) => mark.test(text))?.[1] ?? 'general') : niche;
}
