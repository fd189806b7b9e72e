import { to } from '../kit/link.ts';
import { type Button, button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { listed } from '../kit/wordpress-terms.ts';

export type FilingSettings = {
  /** By name; none means the rubric of the bot's own category. */
  rubrics: string[];
  /** By name; none means the article's phrase. */
  tags: string[];
  robots: string | null;
  schemaType: string | null;
};
/** To the one question before a plugin is put on a site; drawn only where its user may install plugins. */
export const installSeoPluginButton = (nid: number): Button =>
  button('Установить SEO-плагин', to('conn:{nid}:wp:seo', { nid }));

export type SiteSettings = FilingSettings & {
  identifier: string;
  /** The plugin that keeps fields for search engines on the site; null: none. */
  seoPlugin: string | null;
  /** Search engines can be told of new articles. */
  indexing: boolean;
};

/** The file by which search engines know the site's owner. */
export type IndexKey = { url: string; name: string; key: string; isThere: boolean };

/** What an article calls itself in its markup; the first is meant where nothing was chosen. */
export const schemaTypes = [
  { value: 'Article', label: 'Статья (Article)' },
  { value: 'BlogPosting', label: 'Запись блога (BlogPosting)' },
  { value: 'NewsArticle', label: 'Новость (NewsArticle)' },
] as const;

/** What is said to search engines; the first is meant where nothing was chosen. */
export const robotRules = [
  { value: 'index, follow', label: 'Показывать в поиске (index)' },
  { value: 'noindex, follow', label: 'Не показывать в поиске (noindex)' },
] as const;

type Options = readonly { value: string; label: string }[];

const labelOf = (options: Options, value: string | null): string =>
  (options.find((option) => option.value === value) ?? options[0]!).label;

export const filingLines = (settings: FilingSettings): RichText =>
  lines(
    rich`Рубрики: ${listed(settings.rubrics) || 'по названию категории'}`,
    rich`Метки: ${listed(settings.tags) || 'без меток'}`,
    rich`Поисковикам: ${labelOf(robotRules, settings.robots)}`,
    rich`Тип разметки: ${labelOf(schemaTypes, settings.schemaType)}`,
  );

export function siteSettingsScreen(nid: number, settings: SiteSettings): Screen {
  return {
    text: paragraphs(rich`<b>Настройки WordPress</b> · ${settings.identifier}`, filingLines(settings)),
    keyboard: [
      [
        button('Рубрики', to('conn:{nid}:wp:cats', { nid })),
        button('Метки', to('conn:{nid}:wp:tags', { nid })),
      ],
      [button('Поисковикам', to('conn:{nid}:wp:robots', { nid }))],
      [button('Тип разметки', to('conn:{nid}:wp:schema', { nid }))],
      [button('SEO-плагин', to('conn:{nid}:wp:seo', { nid }))],
      ...(settings.indexing ? [[button('Быстрая индексация', to('conn:{nid}:wp:index', { nid }))]] : []),
      [button('Назад', to('conn:{nid}:manage', { nid }))],
    ],
  };
}

export function indexingScreen(nid: number, { identifier }: SiteSettings, file: IndexKey): Screen {
  const { url, name, key, isThere } = file;
  return {
    text: paragraphs(
      rich`<b>Быстрая индексация</b> · ${identifier}`,
      isThere
        ? rich`Файл-ключ на месте. О каждой новой статье бот сразу сообщает Яндексу, Bing и другим поисковикам (IndexNow).`
        : lines(
            rich`Бот может сразу после публикации сообщать о статье Яндексу, Bing и другим поисковикам (IndexNow). Чтобы они поверили, на сайте должен лежать файл-ключ.`,
            rich`Положите файл, который придёт ниже, в корневую папку сайта, рядом с wp-config.php. Он должен открываться по адресу ${url}`,
            rich`Если об индексации уже заботится плагин (Yoast, Rank Math, IndexNow), ничего делать не нужно.`,
          ),
    ),
    keyboard: [
      ...(isThere ? [] : [[button('Проверить файл', to('conn:{nid}:wp:index', { nid }), 'primary')]]),
      [button('Назад', to('conn:{nid}:wp', { nid }))],
    ],
    ...(!isThere && { file: { name, content: key } }),
  };
}

export function robotsScreen(nid: number, { identifier, robots, seoPlugin }: SiteSettings): Screen {
  return {
    text: paragraphs(
      rich`<b>Поисковикам</b> · ${identifier}`,
      rich`Можно ли показывать новые статьи в поиске. Обычно для этого их и пишут; запрет нужен, пока сайт не открыт.`,
      seoPlugin === null
        ? rich`На сайте не нашлось SEO-плагина, а без него запрет сохранить негде.`
        : rich`Запрет хранит SEO-плагин сайта. Если плагин его не примет, бот скажет об этом после публикации.`,
    ),
    keyboard: [
      ...chosenOf(robotRules, robots).map(({ label, i }) => [
        button(label, to('conn:{nid}:wp:robots:{i}', { nid, i })),
      ]),
      [button('Назад', to('conn:{nid}:wp', { nid }))],
    ],
  };
}

export function schemaTypeScreen(nid: number, { identifier, schemaType }: SiteSettings): Screen {
  return {
    text: paragraphs(
      rich`<b>Тип разметки</b> · ${identifier}`,
      rich`Так статья назовёт себя поисковикам (Schema.org). Если не уверены, оставьте «Статья».`,
    ),
    keyboard: [
      ...chosenOf(schemaTypes, schemaType).map(({ label, i }) => [
        button(label, to('conn:{nid}:wp:schema:{i}', { nid, i })),
      ]),
      [button('Назад', to('conn:{nid}:wp', { nid }))],
    ],
  };
}

/** The one in force is ticked. */
function chosenOf(options: Options, value: string | null): { label: string; i: number }[] {
  const current = labelOf(options, value);
  return options.map(({ label }, i) => ({ label: label === current ? `✓ ${label}` : label, i }));
}
