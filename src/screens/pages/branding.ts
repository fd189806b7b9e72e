import { date, number } from '../../russian.ts';
import { hostOf } from '../kit/competitor-report.ts';
import { to } from '../kit/link.ts';
import { button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { toSiteAddress } from './site-tools.ts';

/** What an article takes from a site, in the order in which it is told. */
export const brandColours = [
  { key: 'text', label: 'Текст' },
  { key: 'accent', label: 'Ссылки и акценты' },
  { key: 'background', label: 'Фон' },
] as const;
export type BrandColour = (typeof brandColours)[number]['key'];

export const isBrandColour = (key: string): key is BrandColour =>
  brandColours.some((each) => each.key === key);

export type BrandingPage = {
  projectId: number;
  projectName: string;
  timezone: string;
  /** The site that would be read; null: none is known. */
  url: string | null;
  branding: {
    url: string;
    at: string;
    colors: Partial<Record<BrandColour, string>>;
    fonts: { heading?: string | null; body?: string | null };
    logoUrl: string | null;
  } | null;
  /** Colours that cannot be read on this background: articles leave them to the site's theme. */
  faint: readonly BrandColour[];
  /** How an article looks in these colours; null: nothing is known of them, or drawing failed. */
  picture: Uint8Array | null;
};

export function brandingScreen({
  projectId: pid,
  projectName,
  timezone,
  url,
  branding,
  faint,
  picture,
}: BrandingPage): Screen {
  return {
    ...(picture && { photo: { bytes: picture, name: 'branding.png' } }),
    text: paragraphs(
      rich`<b>Цвета и шрифты сайта</b> · ${projectName}`,
      branding
        ? lines(
            ...brandColours.map(({ key, label }) => rich`${label}: ${branding.colors[key] ?? 'обычный'}`),
            fontsText(branding.fonts),
            rich`<i>${hostOf(branding.url)}, ${date(new Date(branding.at), timezone)}</i>`,
          )
        : rich`Пока не знаю, как выглядит ваш сайт. ${url === null ? 'Укажите его адрес в данных проекта.' : 'Могу прочитать, это бесплатно.'}`,
      branding && rich`Этими цветами оформлены заголовки, текст и ссылки статей; их же держится художник.`,
      branding && faint.length > 0 && faintText(faint),
    ),
    keyboard: [
      ...(branding
        ? brandColours.map(({ key, label }) => [
            button(`Изменить: ${label.toLowerCase()}`, to('project:{pid}:branding:{key}', { pid, key })),
          ])
        : []),
      [
        url === null
          ? toSiteAddress(pid)
          : button(
              branding ? 'Обновить данные сайта' : 'Прочитать сайт',
              to('project:{pid}:branding_read', { pid }),
            ),
      ],
      [button('Назад', to('project:{pid}:audit', { pid }))],
    ],
  };
}

const faintText = (faint: readonly BrandColour[]): RichText =>
  rich`⚠️ ${brandColours
    .filter(({ key }) => faint.includes(key))
    .map(({ label }) => `«${label}»`)
    .join(
      ' и ',
    )}: на этом фоне такой цвет плохо читается, поэтому в статьях его выберет тема сайта. Чтобы остался ваш, пришлите цвет потемнее или посветлее.`;

const fontsText = ({
  heading,
  body,
}: {
  heading?: string | null;
  body?: string | null;
}): RichText | false => {
  const named = [heading, body].filter((font) => font);
  return named.length > 0 && rich`Шрифты: ${[...new Set(named)].join(', ')}`;
};

export const askColourScreen = (label: string, now: string | undefined): Screen => ({
  text: paragraphs(
    rich`<b>${label}</b>`,
    rich`Пришлите цвет решёткой и шестью знаками, например <code>#1a5fb4</code>.${now !== undefined && ` Сейчас: ${now}.`}`,
  ),
  keyboard: [],
});

export const brandingNotices = {
  wrong: rich`Это не похоже на цвет. Нужны решётка и шесть знаков от 0 до f, например #1a5fb4.`,
  saved: rich`✓ Цвет сохранён: он будет в следующих статьях.`,
};

/** Of what was read anew. `pages`: those that articles may link to; null: none could be read, or no site is connected. */
export type SiteRefreshed = { branding: boolean; pages: number | null };

export const readingSite = rich`Читаю сайт: цвета и страницы. Обычно это занимает полминуты…`;

export const refreshedNotice = ({ branding, pages }: SiteRefreshed): RichText => {
  if (!branding && pages === null)
    return rich`Сайт не прочитался. Прежние данные на месте, попробуйте позже.`;
  return lines(
    rich`✓ Данные сайта обновлены.${!branding && ' Цвета прочитать не удалось, они прежние.'}`,
    pages !== null && rich`Страниц, на которые могут ссылаться статьи: ${number(pages)}.`,
  );
};
