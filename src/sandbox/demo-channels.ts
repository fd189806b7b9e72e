import type { RouteFilter } from '../autopost/store/workspaces.ts';
import type { ChannelPlatform } from '../platforms/platforms.ts';

export type DemoChannel = {
  channelId: string;
  platform: ChannelPlatform;
  /** As the platform's API names it. */
  targetId: string;
  title: string;
  tags: readonly string[];
  /** Null: every post. */
  routeFilter: RouteFilter | null;
  rateRps: number;
  maxParallel: number;
};

export const demoWorkspace = { workspaceId: 'demo', name: 'Городские каналы' } as const;

/** Where its posts are handed in. Printed and shown wherever it helps: it opens nothing of value. */
export const demoEndpoint = { endpointId: 'demo', secret: 'demo-secret-that-is-not-secret' } as const;

/** Visibly not real: they open the stand-ins and nothing else. */
export const demoBots = {
  telegram: {
    authRef: 'demo-telegram',
    token: '7000000040:DEMO_this_token_is_not_real_40ch',
    username: 'gorod_demo_bot',
    name: 'Городские каналы',
  },
  max: { authRef: 'demo-max', token: 'DEMO-max-token-that-is-not-real', name: 'Городские каналы' },
} as const;

/** Of the whole bot, whatever its channels allow. Telegram's real limit is 30 a second, MAX's as well. */
export const demoLimits: Readonly<Record<ChannelPlatform, number>> = { telegram: 30, max: 30 };

/** The tag that every channel of the demo takes. */
const TO_ALL = 'всем';

type Row = readonly [title: string, tags: string, filter?: RouteFilter];

const news: RouteFilter = { include_any: ['новости', 'город'] };
const offers: RouteFilter = { include_any: ['акции'], exclude: ['18+'] };
const listings: RouteFilter = { include_any: ['listing'], exclude: ['18+'] };
const food: RouteFilter = { include_any: ['еда', 'акции'], exclude: ['18+'] };
const cars: RouteFilter = { include_any: ['авто'] };
const evenings: RouteFilter = { include_any: ['события', 'кино'] };
const family: RouteFilter = { include_any: ['дети', 'события'], exclude: ['18+'] };

const telegram: readonly Row[] = [
  ['Ижевск сегодня', 'новости, город', news],
  ['Новости Заречного района', 'новости, город', news],
  ['Дороги и пробки Ижевска', 'новости, авто', { include_any: ['дороги', 'авто'] }],
  ['Погода в Удмуртии', 'новости, погода', { include_any: ['погода'] }],
  ['Городская афиша', 'события, город', evenings],
  ['Кинотеатр «Дружба»', 'кино, события', evenings],
  ['Театр на Советской', 'события, театр', evenings],
  ['Скидки города', 'акции, ru', offers],
  ['Окна Плюс · Пермь', 'акции, ремонт', { include_any: ['ремонт', 'акции'] }],
  ['Кухни «Берёза»', 'акции, мебель', { include_any: ['мебель', 'акции'] }],
  ['Пекарня «Тёплый хлеб»', 'еда, акции', food],
  ['Кофейня «Две ложки»', 'еда, акции', food],
  ['Суши на Пушкинской', 'еда, доставка', food],
  ['Новостройки Ижевска', 'недвижимость, listing', listings],
  ['Аренда без посредников', 'недвижимость, listing', listings],
  ['Дома и участки', 'недвижимость, listing', listings],
  ['Автосервис «Гараж 18»', 'авто, акции', { include_any: ['авто'], exclude: ['listing'] }],
  ['Авторынок Удмуртии', 'авто, listing', cars],
  ['Шиномонтаж на Воткинском', 'авто', cars],
  ['Мамы Ижевска', 'дети, город', family],
  ['Детский клуб «Компас»', 'дети, события', family],
  ['Ветклиника «Лапа»', 'животные', { include_any: ['животные'] }],
  ['Стоматология «Улыбка»', 'здоровье, акции', { include_any: ['здоровье'] }],
  ['Всё об Ижевске', 'город, ru'],
];

const max: readonly Row[] = [
  ['Ижевск сегодня · MAX', 'новости, город', news],
  ['Пермь: главное', 'новости, город', news],
  ['Администрация района', 'новости, город', { include_any: ['город'], exclude: ['акции'] }],
  ['Афиша выходного дня', 'события, город', evenings],
  ['Дом культуры «Металлург»', 'события, театр', evenings],
  ['Скидки рядом', 'акции, ru', offers],
  ['Фермерская лавка', 'еда, акции', food],
  ['Столовая «Обед»', 'еда', food],
  ['Пиццерия «Четыре сыра»', 'еда, доставка', food],
  ['Квартиры от хозяев', 'недвижимость, listing', listings],
  ['Коммерческая недвижимость', 'недвижимость, listing', listings],
  ['Такси «Попутка»', 'авто', cars],
  ['Школа вождения «Старт»', 'авто, акции', { include_any: ['авто', 'акции'] }],
  ['Секция плавания «Дельфин»', 'дети, здоровье', family],
  ['Цветы на Красной', 'акции, подарки', { include_any: ['подарки', 'акции'] }],
  ['Всё о Перми', 'город, ru'],
];

const targets: Readonly<Record<ChannelPlatform, (place: number) => string>> = {
  telegram: (place) => String(-1_003_000_000_000 - place),
  max: (place) => String(-72_000_000_000_000 - place),
};

/** 24 in Telegram, 16 in MAX; a post reaches those whose filter takes its tags, and all of them with `TO_ALL`. */
export const demoChannels: readonly DemoChannel[] = [
  ...telegram.map((row, i) => channelOf('telegram', row, i + 1)),
  ...max.map((row, i) => channelOf('max', row, i + 1)),
];

function channelOf(platform: ChannelPlatform, [title, tags, filter]: Row, place: number): DemoChannel {
  return {
    channelId: `${platform}-${String(place).padStart(2, '0')}`,
    platform,
    targetId: targets[platform](place),
    title,
    tags: tags.split(', '),
    routeFilter: filter ? { ...filter, include_any: [...(filter.include_any ?? []), TO_ALL] } : null,
    rateRps: 1,
    maxParallel: 1,
  };
}
