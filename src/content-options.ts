import { aspectRatios, type ImageSettings, type TextSettings } from './content-settings.ts';
import { type Platform, platforms, takesArticles, takesPosts } from './platforms/platforms.ts';
import { number } from './russian.ts';

/** What a person may choose in the settings of texts and pictures, in the order in which it is offered. The one table. */

/** Null: the category itself, whose settings every platform inherits. */
export type Scope = Platform | null;
export type Block = 'text' | 'image';
export type Stored = Readonly<Record<string, unknown>>;
export type Effective = { text: TextSettings; images: ImageSettings };

type Common = {
  block: Block;
  title: string;
  /** Whether it means anything there. */
  isFor?: (scope: Scope) => boolean;
};
/** Any number of options; none of them is the usual choice. */
type Many = Common & {
  kind: 'many';
  field: string;
  options: readonly string[];
  /** How having chosen nothing is called. */
  none?: string;
  most?: number;
  now(effective: Effective): readonly string[];
};
type One = Common & {
  kind: 'one';
  choices(scope: Scope): readonly Choice[];
  isNow(effective: Effective, choice: Choice): boolean;
};
export type Choice = { label: string; set: Readonly<Record<string, string | number>> };
export type Setting = Many | One;

export const MOST_TEXT_STYLES = 3;

const isArticle = (scope: Scope): boolean => scope === null || takesArticles(scope);
/** A pin has one length, one shape and one picture. */
const isFree = (scope: Scope): boolean => scope === null || platforms[scope].pictureShape === null;

export const wordRange = ({ min, max }: { min: number; max: number }): string =>
  `${number(min)}–${number(max)} слов`;
const range = (min: number, max: number): Choice => ({
  label: wordRange({ min, max }),
  set: { words_min: min, words_max: max },
});
const shares = (field: string): readonly Choice[] =>
  [0, 25, 50, 75, 100].map((share) => ({
    label: share === 0 ? 'Нет' : `${share} %`,
    set: { [field]: share },
  }));
const named = (field: string, names: readonly string[]): readonly Choice[] =>
  names.map((label) => ({ label, set: { [field]: label } }));

export const contentOptions = {
  ts: {
    kind: 'many',
    block: 'text',
    field: 'style',
    title: 'Стиль текста',
    most: MOST_TEXT_STYLES,
    options: [
      'Рекламный',
      'Мотивационный',
      'Дружелюбный',
      'Разговорный',
      'Профессиональный',
      'Креативный',
      'Информативный',
      'С юмором',
      'Мужской',
      'Женский',
    ],
    now: ({ text }) => text.styles,
  },
  th: {
    kind: 'one',
    block: 'text',
    title: 'Вёрстка',
    isFor: isArticle,
    choices: () =>
      named('html_style', [
        'Новостной',
        'Блог',
        'Журнальный',
        'Корпоративный',
        'Минималистичный',
        'Креативный',
        'Академический',
        'Интернет-магазин',
        'Лендинг',
        'Портфолио',
      ]),
    isNow: ({ text }, { label }) => text.htmlStyle === label,
  },
  tw: {
    kind: 'one',
    block: 'text',
    title: 'Объём',
    isFor: isFree,
    choices: (scope) =>
      isArticle(scope)
        ? [range(500, 1_000), range(1_000, 1_500), range(1_500, 2_500), range(2_500, 3_500)]
        : [range(50, 100), range(100, 300)],
    isNow: ({ text: { words } }, { set }) => words.min === set.words_min && words.max === set.words_max,
  },
  ic: {
    kind: 'one',
    block: 'image',
    title: 'Количество',
    isFor: isFree,
    choices: (scope) => {
      const most = scope !== null && takesPosts(scope) ? 1 : 10;
      return Array.from({ length: most + 1 }, (_, count) => ({ label: String(count), set: { count } }));
    },
    isNow: ({ images }, { set }) => images.count === set.count,
  },
  if: {
    kind: 'many',
    block: 'image',
    field: 'formats',
    title: 'Формат',
    isFor: isFree,
    none: 'Автоматически',
    options: aspectRatios,
    now: ({ images }) => images.formats,
  },
  is: {
    kind: 'many',
    block: 'image',
    field: 'styles',
    title: 'Стиль картинок',
    options: [
      'Фотореализм',
      'Аниме',
      'Масло',
      'Акварель',
      'Мультяшный',
      'Набросок',
      '3D-рендер',
      'Пиксель-арт',
      'Минимализм',
      'Киберпанк',
    ],
    now: ({ images }) => images.styles,
  },
  it: {
    kind: 'many',
    block: 'image',
    field: 'tones',
    title: 'Тон',
    options: ['Нейтральный', 'Тёплый', 'Холодный', 'Яркий', 'Пастельный', 'Натуральный'],
    now: ({ images }) => images.tones,
  },
  ik: {
    kind: 'many',
    block: 'image',
    field: 'cameras',
    title: 'Камера',
    none: 'Не важно',
    options: [
      'Canon EOS R5',
      'Nikon Z9',
      'Sony A7R IV',
      'Fujifilm X-T4',
      'Leica Q2',
      'Hasselblad X1D',
      'Phase One XF',
      'Pentax 645Z',
      'GoPro Hero',
      'DJI Mavic',
    ],
    now: ({ images }) => images.cameras,
  },
  ia: {
    kind: 'many',
    block: 'image',
    field: 'angles',
    title: 'Ракурс',
    none: 'Не важно',
    options: [
      'На уровне глаз',
      'Вид сверху',
      'Снизу вверх',
      'Сверху вниз',
      'Голландский угол',
      'Через плечо',
      'Крупный план',
      'Широкий план',
      'Макро',
      'Аэросъёмка',
    ],
    now: ({ images }) => images.angles,
  },
  iq: {
    kind: 'one',
    block: 'image',
    title: 'Качество',
    choices: () =>
      named('quality', ['HD', 'Ultra HD', '8K', 'RAW', 'Кинематограф', 'Студийное', 'Профессионал']),
    isNow: ({ images }, { label }) => images.quality === label,
  },
  io: {
    kind: 'one',
    block: 'image',
    title: 'Текст на картинке',
    choices: () => shares('text_on_image'),
    isNow: ({ images }, { set }) => images.textOnImage === set.text_on_image,
  },
  il: {
    kind: 'one',
    block: 'image',
    title: 'Коллаж',
    choices: () => shares('collage'),
    isNow: ({ images }, { set }) => images.collage === set.collage,
  },
} as const satisfies Record<string, Setting>;

export type SettingKey = keyof typeof contentOptions;

export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(contentOptions, key);

export const settingOf = (key: SettingKey): Setting => contentOptions[key];

export const isOffered = (key: SettingKey, scope: Scope): boolean => settingOf(key).isFor?.(scope) ?? true;

/** What was chosen of a list, and not what is usual where nothing was. */
export const chosenOf = ({ field }: Many, stored: Stored): readonly string[] => {
  const list = stored[field];
  if (typeof list === 'string') return [list];
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
};

/** `full`: as many are chosen as may be. `unchanged`: there is no such option. */
export type Edited = { stored: Stored } | 'full' | 'unchanged';

/** One press. Option `i` of a list counts from 0; where a list can be emptied by name, that is option 0. */
export function withChoice(key: SettingKey, i: number, on: boolean, stored: Stored, scope: Scope): Edited {
  const setting = settingOf(key);
  if (setting.kind === 'one') {
    const choice = setting.choices(scope)[i];
    return choice ? { stored: { ...stored, ...choice.set } } : 'unchanged';
  }
  const { field, options, none, most = options.length } = setting;
  if (none !== undefined && i === 0) return { stored: { ...stored, [field]: [] } };
  const option = options[none === undefined ? i : i - 1];
  if (option === undefined) return 'unchanged';
  const others = chosenOf(setting, stored).filter((item) => item !== option);
  if (on && others.length >= most) return 'full';
  // In the order of the table, however they were pressed.
  const chosen = on ? options.filter((item) => item === option || others.includes(item)) : others;
  return { stored: { ...stored, [field]: chosen } };
}

/** What a platform's own settings begin with: a post takes no article's length along. */
export function inheritedBlock(block: Block, scope: Platform, category: Stored): Stored {
  if (block === 'image' || takesArticles(scope)) return { ...category };
  const { words_min, words_max, ...rest } = category;
  return rest;
}
