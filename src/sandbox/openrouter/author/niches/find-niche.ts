import { detectNiche, type Niche } from '../../../../services/quality/niches.ts';
import { auto } from './auto.ts';
import { beauty } from './beauty.ts';
import { children } from './children.ts';
import { construction } from './construction.ts';
import { education } from './education.ts';
import { finance } from './finance.ts';
import { food } from './food.ts';
import { furniture } from './furniture.ts';
import { general } from './general.ts';
import { it } from './it.ts';
import { legal } from './legal.ts';
import { medical } from './medical.ts';
import type { NicheMaterial } from './niche-material.ts';
import { pets } from './pets.ts';
import { realestate } from './realestate.ts';
import { sport } from './sport.ts';
import { travel } from './travel.ts';

export const nicheMaterial: Readonly<Record<Niche, NicheMaterial>> = {
  ...{ auto, beauty, children, construction, education, finance, food, furniture, general },
  ...{ it, legal, medical, pets, realestate, sport, travel },
};

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
  [/тур[ыа]?(?![а-я])|экскурс|круиз|поход/u, 'travel'],
  [/налог|учёт|учет/u, 'finance'],
  [/развод|наследств|банкротств/u, 'legal'],
  [/фундамент|цемент|щебень|блок/u, 'construction'],
  [/лендинг|дизайн сайт|приложени|чат-бот/u, 'it'],
  [/тренир|пилатес|растяжк|бассейн/u, 'sport'],
];

/** The niche the prompt names; when it names none, the one the words give away. */
export function findNiche(named: string, ...texts: readonly string[]): Niche {
  if (Object.hasOwn(nicheMaterial, named) && named !== 'general') return named as Niche;
  const text = texts.join(' ').toLowerCase();
  const { niche } = detectNiche(text);
  return niche === 'general' ? (closer.find(([mark]) => mark.test(text))?.[1] ?? 'general') : niche;
}
