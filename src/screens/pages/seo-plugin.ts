import { to } from '../kit/link.ts';
import { button, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';

export type SeoPluginState = { identifier: string } & (
  | { state: 'there'; plugin: string }
  | { state: 'offered' }
  | { state: 'no-rights' }
  | { state: 'installing' }
  | { state: 'unanswered'; why: string }
);

const titles: Readonly<Record<string, string>> = {
  yoast: 'Yoast SEO',
  rankmath: 'Rank Math',
  seopress: 'SEOPress',
};

const why = rich`Описание для поиска бот сохраняет как отрывок записи, но обычный WordPress поисковикам его не показывает: для этого нужен SEO-плагин.`;

/** Asks once before something is put on a site; says why where it cannot be offered. */
export function seoPluginScreen(nid: number, site: SeoPluginState): Screen {
  const check = button('Проверить', to('conn:{nid}:wp:seo', { nid }));
  const back = [button('Назад', to('conn:{nid}:wp', { nid }))];
  const head = rich`<b>SEO-плагин</b> · ${site.identifier}`;
  switch (site.state) {
    case 'there':
      return {
        text: paragraphs(
          head,
          rich`На сайте работает ${titles[site.plugin] ?? site.plugin}. Бот передаёт ему заголовок и описание каждой новой статьи и проверяет, что они сохранились.`,
        ),
        keyboard: [back],
      };
    case 'offered':
      return {
        text: paragraphs(
          head,
          why,
          rich`Бот может поставить на сайт бесплатный плагин SEOPress из каталога wordpress.org и включить его. Настраивать ничего не нужно. Удалить плагин можно в любой момент: «Плагины» в админке WordPress.`,
          rich`Установить?`,
        ),
        keyboard: [
          [button('Установить SEOPress', to('conn:{nid}:wp:seo:install', { nid }), 'primary')],
          back,
        ],
      };
    case 'no-rights':
      return {
        text: paragraphs(
          head,
          why,
          rich`Поставить плагин может только администратор, а сайт подключён под пользователем без этих прав. Попросите администратора установить SEOPress, Yoast SEO или Rank Math, или переподключите сайт под администратором.`,
        ),
        keyboard: [[check], [button('Переподключить', to('conn:{nid}:reconnect', { nid }))], back],
      };
    case 'installing':
      return {
        text: paragraphs(head, rich`Сайт ещё устанавливает плагин. Обычно это занимает до минуты.`),
        keyboard: [[check], back],
      };
    case 'unanswered':
      return { text: paragraphs(head, rich`${site.why}`), keyboard: [[check], back] };
  }
}

export const seoPluginNotices = {
  installed: rich`SEOPress установлен и включён. Описание следующей статьи попадёт на страницу.`,
  slow: rich`Сайт ещё устанавливает плагин. Подождите минуту и нажмите «Проверить».`,
  failed: (reason: string): RichText => rich`Установить плагин не получилось. ${reason}`,
};
