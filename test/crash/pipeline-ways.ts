import { PASSWORD, projectOf } from './article-authors.ts';
import type { Step } from './article-walker.ts';

/** From the menu into the pipeline, and back into it after a look elsewhere. */
const onward: readonly Step[] = [
  { presses: 'Дальше' },
  { presses: 'Продолжить' },
  { presses: /^Продолжить: статья/u },
  { presses: 'Повторить' },
  { presses: 'Написать статью' },
];

/** Somebody whose project, site and phrases are there. */
export const withEverything = (): readonly Step[] => onward;

/** Somebody who has just come: the project, the site, the topic and the phrases are made on the way. */
export const withNothing = (id: number, site: string): readonly Step[] => [
  { at: /Новый проект \(1\/4\)/u, says: projectOf(id) },
  { at: /Новый проект \(2\/4\)/u, says: projectOf(id) },
  { at: /Новый проект \(3\/4\)/u, says: 'мебель на заказ' },
  { at: /Новый проект \(4\/4\)/u, presses: 'Пропустить' },
  { at: /Статья \(2\/5\)/u, presses: 'Подключить WordPress' },
  { at: /Подключение WordPress \(1\/3\)/u, says: site },
  { at: /Подключение WordPress \(2\/3\)/u, says: 'owner' },
  { at: /Подключение WordPress \(3\/3\)/u, presses: 'Ещё раз' },
  { at: /Подключение WordPress \(3\/3\)/u, says: PASSWORD },
  { at: /О чём будем писать/u, says: 'Кухни' },
  { at: /\(2\/3\)/u, says: 'Казань' },
  { presses: 'Повторить подбор' },
  { presses: /^Подобрать фразы \(/u },
  ...onward,
];
