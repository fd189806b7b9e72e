import { platformTitle } from '../../src/platforms/platforms.ts';
import { PASSWORD, projectOf } from './article-authors.ts';
import type { PostPlace } from './post-places.ts';
import type { Step } from './text-walker.ts';

const goals = { article: 'Написать статью', post: 'Опубликовать пост' } as const;
const heads = { article: 'Статья', post: 'Пост' } as const;
type Kind = keyof typeof goals;

/** From the menu into the pipeline, and back into it after a look elsewhere. */
const onward = (kind: Kind): readonly Step[] => [
  { presses: 'Дальше' },
  { presses: 'Продолжить' },
  { presses: new RegExp(`^Продолжить: ${heads[kind].toLowerCase()}`, 'u') },
  { presses: 'Повторить' },
  { presses: goals[kind] },
];

const site = (address: string): readonly Step[] => [
  { at: /Статья \(2\/5\)/u, presses: 'Подключить WordPress' },
  { at: /Подключение WordPress \(1\/3\)/u, says: address },
  { at: /Подключение WordPress \(2\/3\)/u, says: 'owner' },
  { at: /Подключение WordPress \(3\/3\)/u, presses: 'Ещё раз' },
  { at: /Подключение WordPress \(3\/3\)/u, says: PASSWORD },
];

const wall = ({ chat: key, title }: PostPlace): readonly Step[] => [
  { at: /Пост \(2\/5\)/u, presses: 'VK' },
  { at: /Подключение VK \(1\/2\)/u, presses: 'Проверить снова' },
  { at: /Подключение VK \(1\/2\)/u, says: key },
  { at: /Подключение VK \(2\/2\)/u, presses: new RegExp(`^${title}`, 'u') },
];

/** A person who has just come: the project, the place, the topic and the phrases are made on the way. */
const newcomer = (id: number, place: readonly Step[]): readonly Step[] => [
  { at: /Новый проект \(1\/4\)/u, says: projectOf(id) },
  { at: /Новый проект \(2\/4\)/u, says: projectOf(id) },
  { at: /Новый проект \(3\/4\)/u, says: 'мебель на заказ' },
  { at: /Новый проект \(4\/4\)/u, presses: 'Пропустить' },
  ...place,
  { at: /О чём будем писать/u, says: 'Кухни' },
  { at: /\(2\/3\)/u, says: 'Казань' },
  { presses: 'Повторить подбор' },
  { presses: /^Подобрать фразы \(/u },
];

/** To the price of an article. `address`: of a site that the bot does not know yet, for a person who has just come. */
export const toArticle = (id: number, address: string | null): readonly Step[] => [
  ...(address === null ? [] : newcomer(id, site(address))),
  ...onward('article'),
];

/** To the price of a post in this place. `isNew`: it is a wall, and not connected yet. */
export const toPost = (id: number, place: PostPlace, isNew: boolean): readonly Step[] => [
  ...(isNew ? newcomer(id, wall(place)) : []),
  { at: /Пост \(2\/5\)/u, presses: `${platformTitle(place.platform)}: ${place.title}` },
  ...onward('post'),
];
