import { to } from './link.ts';
import { button, lines, paragraphs, type RichText, rich, type Screen } from './screen.ts';

export type SiteSettings = {
  identifier: string;
  /** By name; none means the rubric of the bot's own category. */
  rubrics: string[];
  schemaType: string | null;
};
/** What there is to choose from on the site, or why that cannot be said now. */
export type RubricChoice =
  | { identifier: string; rubrics: { id: number; name: string; chosen: boolean }[] }
  | { identifier: string; failure: string };

/** What an article calls itself in its markup; the first is meant where nothing was chosen. */
export const schemaTypes = [
  { type: 'Article', label: 'Статья (Article)' },
  { type: 'BlogPosting', label: 'Запись блога (BlogPosting)' },
  { type: 'NewsArticle', label: 'Новость (NewsArticle)' },
] as const;

const labelOf = (schemaType: string | null): string =>
  (schemaTypes.find(({ type }) => type === schemaType) ?? schemaTypes[0]).label;

export function siteSettingsScreen(nid: number, { identifier, rubrics, schemaType }: SiteSettings): Screen {
  return {
    text: paragraphs(
      rich`<b>Настройки WordPress</b> · ${identifier}`,
      lines(
        rich`Рубрики: ${rubrics.length > 0 ? rubrics.join(', ') : 'по названию категории'}`,
        rich`Тип разметки: ${labelOf(schemaType)}`,
      ),
    ),
    keyboard: [
      [button('Рубрики', to('conn:{nid}:wp:cats', { nid }))],
      [button('Тип разметки', to('conn:{nid}:wp:schema', { nid }))],
      [button('Назад', to('conn:{nid}:manage', { nid }))],
    ],
  };
}

export function rubricsScreen(nid: number, choice: RubricChoice): Screen {
  const rubrics = 'rubrics' in choice ? choice.rubrics : [];
  return {
    text: paragraphs(rich`<b>Рубрики</b> · ${choice.identifier}`, aboutRubrics(choice)),
    keyboard: [
      ...rubrics.map(({ id, name, chosen }) => [
        button(
          shortened(`${chosen ? '✓ ' : ''}${name.trim() || 'Без названия'}`),
          to('conn:{nid}:wp:cats:{n}', { nid, n: id }),
        ),
      ]),
      [button('Назад', to('conn:{nid}:wp', { nid }))],
    ],
  };
}

function aboutRubrics(choice: RubricChoice): RichText {
  if ('failure' in choice) return rich`Рубрики не загрузились. ${choice.failure}`;
  if (choice.rubrics.length === 0)
    return rich`На сайте пока нет рубрик. Бот создаст рубрику по названию категории.`;
  return rich`Отметьте, куда складывать статьи. Если не отметить ничего, бот возьмёт рубрику по названию категории или создаст её.`;
}

export function schemaTypeScreen(nid: number, { identifier, schemaType }: SiteSettings): Screen {
  const current = labelOf(schemaType);
  return {
    text: paragraphs(
      rich`<b>Тип разметки</b> · ${identifier}`,
      rich`Так статья назовёт себя поисковикам (Schema.org). Если не уверены, оставьте «Статья».`,
    ),
    keyboard: [
      ...schemaTypes.map(({ label }, i) => [
        button(label === current ? `✓ ${label}` : label, to('conn:{nid}:wp:schema:{i}', { nid, i })),
      ]),
      [button('Назад', to('conn:{nid}:wp', { nid }))],
    ],
  };
}

const MOST_LABEL = 60;

function shortened(label: string): string {
  const characters = [...label];
  return characters.length > MOST_LABEL ? `${characters.slice(0, MOST_LABEL - 1).join('')}…` : label;
}
