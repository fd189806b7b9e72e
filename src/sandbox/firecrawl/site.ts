import { draw } from '../dataforseo/demand.ts';
import { recordOf } from '../openrouter/author/recorded-articles.ts';
import { topicOf } from './topic-of.ts';

const paths: readonly (readonly [path: string, title: string])[] = [
  ['/', 'Главная'],
  ['/o-kompanii', 'О компании'],
  ['/uslugi', 'Услуги'],
  ['/tseny', 'Цены'],
  ['/portfolio', 'Наши работы'],
  ['/otzyvy', 'Отзывы'],
  ['/kontakty', 'Контакты'],
  ['/dostavka-i-oplata', 'Доставка и оплата'],
  ['/garantiya', 'Гарантия'],
  ['/blog', 'Блог'],
  ['/blog/kak-vybrat-mastera', 'Как выбрать мастера'],
  ['/blog/ot-chego-zavisit-tsena', 'От чего зависит цена'],
  ['/blog/chastye-oshibki', 'Частые ошибки'],
  ['/blog/kukhnya-na-zakaz', 'Кухня на заказ'],
  ['/blog/remont-pod-klyuch', 'Ремонт под ключ'],
  ['/sitemap.xml', 'Карта сайта'],
];

/** Pages of a site, as a map lists them. */
export const pagesOf = (address: string) =>
  paths.map(([path, title]) => ({ url: new URL(path, address).href, title }));

const palettes = [
  {
    primary: '#1f3a5f',
    secondary: '#4d648d',
    accent: '#e07a5f',
    background: '#ffffff',
    textPrimary: '#22223b',
  },
  {
    primary: '#2d6a4f',
    secondary: '#52b788',
    accent: '#f4a261',
    background: '#fdfcf7',
    textPrimary: '#1b4332',
  },
  {
    primary: '#7b2cbf',
    secondary: '#c77dff',
    accent: '#ff6d00',
    background: '#ffffff',
    textPrimary: '#240046',
  },
];
const fonts = ['Montserrat', 'PT Sans', 'Roboto', 'Manrope'];

export function brandingOf(address: string) {
  const { host, origin } = new URL(address);
  const at = draw(host);
  const family = fonts[at % fonts.length]!;
  return {
    colorScheme: 'light',
    brandName: host,
    colors: palettes[at % palettes.length]!,
    fonts: [{ family }],
    typography: { fontFamilies: { primary: family, heading: family } },
    images: { logo: `${origin}/logo.svg`, favicon: `${origin}/favicon.ico` },
  };
}

const offered = Object.values(recordOf('general').sections).flatMap(({ headings }) => headings);

type JsonSchema = { type?: string | string[]; properties?: Record<string, JsonSchema> };

/** An answer to a schema, whatever it asks for: the names are unknown here, the kinds are not. */
export function factsFor(schema: JsonSchema | undefined, address: string): unknown {
  const topic = topicOf(address);
  const seed = draw(address);
  const kinds = [schema?.type ?? 'object'].flat();
  if (kinds.includes('object'))
    return Object.fromEntries(
      Object.entries(schema?.properties ?? {}).map(([name, kind]) => [
        name,
        factsFor(kind, `${address}#${name}`),
      ]),
    );
  if (kinds.includes('array'))
    return [0, 1, 2].map((i) => offered[(seed + i * 5) % offered.length]!.toLowerCase());
  if (kinds.includes('number') || kinds.includes('integer')) return 20 + (seed % 180);
  if (kinds.includes('boolean')) return seed % 2 === 0;
  return `Компания «${topic}»`;
}
