import type { Failure } from '../../../machines/failure.ts';
import {
  type ArticleOffer,
  type Clash,
  mostPictures,
  type OfferedPhrases,
} from '../../../machines/fragments/article-order.ts';
import {
  type ArticlePreview,
  type ArticleVerdict,
  type PublishedArticle,
  refundOf,
} from '../../../machines/fragments/article-ports.ts';
import { type ArticleSlice, freeRegenerations, MOST_WISH } from '../../../machines/fragments/article-work.ts';
import type { Misfit } from '../../../machines/misfit.ts';
import { number, ofTokens, plural, tokens, tokensReturned } from '../../russian.ts';
import { press } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { passingTrouble } from '../kit/money.ts';
import { progressScreen, type Stages } from '../kit/progress.ts';
import { triedBefore } from '../kit/save-step.ts';
import {
  type Article,
  type Button,
  button,
  type Keyboard,
  lines,
  paragraphs,
  type Redirect,
  type RichText,
  rich,
  type Screen,
  urlButton,
} from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';
import { doubtLife, mayBeThere } from '../pages/publishing.ts';
import { knowledgeKeys, knowledgeLines, ownKnowledgePresses, ownKnowledgeScreens } from './own-knowledge.ts';

const writing: Stages = [
  ['gathering', 'Смотрю выдачу Google и конкурентов'],
  ['writing', 'Пишу текст'],
  ['images', 'Рисую картинки'],
  ['checking', 'Проверяю качество и оформляю'],
  ['preview', 'Готовлю предпросмотр'],
];

/** What is loaded for a screen beside the person's answers. */
export type ArticleData = {
  /** For the screens that ask for more tokens. */
  balance?: number;
  /** The file, for the screen that brings it; null: the draft is over. */
  document?: { name: string; content: string } | null;
  /** Whether the whole text can be shown in the chat; and the text, for the screen that shows it. Null: it cannot. */
  isReadable?: boolean;
  article?: Omit<Article, 'instead'> | null;
};

type Show<Answer = Screen> = (slice: ArticleSlice, data?: ArticleData) => Answer;

/** From the price to the post. The offer is there in all of these states. */
export const articleScreens = {
  confirm_cost: ({ offer, balance = offer!.balance, failure }) => costScreen({ ...offer!, balance }, failure),
  ...ownKnowledgeScreens,
  listing_phrases: () => ({ text: rich`Смотрю, о чём ещё можно написать…`, keyboard: [] }),
  choose_phrase: ({ offer, phrases }) => phrasesScreen(offer!, phrases!),
  generating: ({ offer, stage, late }) =>
    progressScreen(rich`<b>Пишу статью</b> по фразе «${offer!.phrase}». Обычно это около минуты.`, writing, {
      stage,
      late,
    }),
  preview: (slice, data?: ArticleData) => ({
    ...(slice.wishMisfit && { complaint: wishComplaint(slice.wishMisfit) }),
    ...previewScreen(slice, data),
  }),
  confirm_html: ({ preview }) => takeHtmlScreen(preview!),
  taking_html: () => ({ text: rich`Собираю файл…`, keyboard: [] }),
  html_taken: ({ offer, preview }, data) => htmlTakenScreen(offer!, preview!, data),
  reading_text: ({ preview }, data) => ({
    text:
      data?.article === null
        ? draftGone(preview!)
        : rich`Поменять статью «${preview!.title}», опубликовать её или скачать можно из черновика.`,
    keyboard: [toDraft],
    ...(data?.article && { article: { ...data.article, instead: unreadable } }),
  }),
  saving_draft: ({ offer, preview, late }) => ({
    text: paragraphs(
      rich`<b>Сохраняю черновиком</b> «${preview!.title}»`,
      rich`Загружаю картинки и текст на ${offer!.site}. ${late ? 'Дольше обычного: сайт отвечает медленно. Ждать в чате не обязательно.' : 'Обычно это до минуты.'}`,
    ),
    keyboard: [],
  }),
  confirm_version: ({ offer, preview, wish }, data) => versionScreen(offer!, preview!, wish ?? null, data),
  publishing: ({ offer, preview, late }) => ({
    text: paragraphs(
      rich`<b>Публикую</b> «${preview!.title}»`,
      rich`Загружаю картинки и текст на ${offer!.site}. ${late ? 'Дольше обычного: сайт отвечает медленно. Ждать в чате не обязательно.' : 'Обычно это до минуты.'}`,
    ),
    keyboard: [],
  }),
  regenerating: ({ offer, stage, late, wish }) =>
    progressScreen(
      wish
        ? rich`<b>Меняю статью</b> по вашим словам: «${wish}». Прежний текст пока на месте.`
        : rich`<b>Пишу другой вариант</b> по фразе «${offer!.phrase}». Прежний текст пока на месте.`,
      writing,
      { stage, late },
    ),
  cancelling: ({ preview }) => ({
    text: isPaidOut(preview!) ? rich`Удаляю черновик…` : rich`Отменяю и возвращаю токены…`,
    keyboard: [],
  }),
} satisfies Record<string, Show>;

/** For a person who has left meanwhile. */
export const articleBehind = {
  confirm_cost: ({ offer, failure }) => ({
    text: paragraphs(
      rich`Статья по фразе «${offer!.phrase}» не началась.`,
      rich`${failure?.userMessage ?? ''}`,
    ),
    keyboard: [[button('К категории', toCategory(offer!))], [menuButton]],
  }),
  preview: ({ offer, preview, failure }) => ({
    text: failure
      ? paragraphs(rich`«${preview!.title}»: ${passingTrouble(failure)}`, rich`Черновик цел.`)
      : paragraphs(
          rich`<b>Статья готова:</b> «${preview!.title}»`,
          rich`Посмотрите и решите, публиковать ли её${offer!.site !== null && ` на ${offer!.site}`}. Черновик хранится 24 часа.`,
        ),
    keyboard: [
      [button('Открыть', to('draft:{n}:open', { n: preview!.draftId }), 'primary')],
      [button('К категории', toCategory(offer!))],
      [menuButton],
    ],
  }),
} satisfies Record<string, Show>;

/** What goes on for a person who goes elsewhere. */
export const articleGoesOn = {
  generating: ({ offer }) =>
    rich`Статья по фразе «${offer!.phrase}» пишется дальше: за неё списано не больше ${ofTokens(offer!.text + offer!.pictures)}. Когда будет готова, пришлю её сюда: можно будет опубликовать или вернуть токены. Если не получится, токены вернутся сами.`,
  regenerating: ({ preview }) =>
    rich`Другой вариант статьи пишется дальше и придёт сюда. Прежний, «${preview!.title}», цел; если новый не получится, его токены вернутся сами.`,
  publishing: ({ offer, preview }) =>
    rich`«${preview!.title}» публикуется на ${offer!.site}, результат придёт сюда. Остановить это уже нельзя.`,
  saving_draft: ({ offer, preview }) =>
    rich`«${preview!.title}» сохраняется черновиком на ${offer!.site}, результат придёт сюда. Остановить это уже нельзя.`,
} satisfies Record<string, Show<RichText>>;

const waits: Show<RichText> = ({ offer, preview }) =>
  rich`Черновик «${preview!.title}» ${isInDoubt(offer!, preview!) ? 'ждёт вашего решения 72 часа' : 'хранится 24 часа'}: откройте категорию «${offer!.categoryName}» и выберите WordPress.`;

/** What stays of a run that is not kept itself: its draft. */
export const draftWaits = {
  preview: waits,
  confirm_version: waits,
  confirm_html: waits,
  html_taken: waits,
  reading_text: waits,
} satisfies Record<string, Show<RichText>>;

export const articlePresses = [
  press('pub:article:pictures:{n}', ({ n }) => ({ type: 'pictures.set', count: n }) as const),
  press('pub:article:photos:{n}', ({ n }) => ({ type: 'photos.set', count: n }) as const),
  press('pub:article:phrases', () => ({ type: 'phrase.declined' }) as const),
  press('pub:article:phrases:more', () => ({ type: 'phrases.declined' }) as const),
  press('pub:article:phrase:{i}', ({ i }) => ({ type: 'phrase.chosen', index: i }) as const),
  press('pub:article:back', () => ({ type: 'back' }) as const),
  ...ownKnowledgePresses,
  press('pub:article:pay', () => ({ type: 'price.accepted' }) as const),
  press('pub:article:confirm', () => ({ type: 'cost.accepted' }) as const),
  press('pub:article:publish', () => ({ type: 'draft.approved' }) as const),
  press('pub:article:save', () => ({ type: 'site_draft.wanted' }) as const),
  press('pub:article:html', () => ({ type: 'html.wanted' }) as const),
  press('pub:article:html:take', () => ({ type: 'html.accepted' }) as const),
  press('pub:article:read', () => ({ type: 'text.opened' }) as const),
  press('pub:article:regen', () => ({ type: 'draft.declined' }) as const),
  press('pub:article:cancel', () => ({ type: 'cancelled' }) as const),
];

/** The day of a draft is over, or it was published or cancelled from somewhere else. */
export const expiredNotice = (preview: ArticlePreview | null): RichText =>
  preview && isPaidOut(preview)
    ? rich`Предпросмотр устарел: этого черновика уже нет. HTML статьи остался у вас.`
    : rich`Предпросмотр устарел: этого черновика уже нет. Если он не опубликован, токены за него уже вернулись на баланс.`;

export function publishedEnd({ publicationId, url, isDraft, warnings }: PublishedArticle): Redirect {
  if (publicationId === null)
    return {
      open: to('nav:projects'),
      notice: rich`Статья ${isDraft ? 'сохранена черновиком' : 'опубликована'}${url && `: ${url}`}. Проект удалён.`,
    };
  const open = to('publication:{n}:result', { n: publicationId });
  return warnings.length === 0
    ? { open }
    : { open, notice: lines(...warnings.map((warning) => rich`• ${warning}`)) };
}

function costScreen(offer: ArticleOffer, failure: Failure | null): Screen {
  const cost = offer.text + offer.pictures;
  const lacking = offer.isAdmin ? 0 : Math.max(0, cost - offer.balance);
  return {
    text: paragraphs(
      failure && rich`${failure.userMessage ?? 'Не получилось начать.'}${triedBefore(failure)}`,
      offer.site === null ? rich`<b>Статья без публикации</b>` : rich`<b>Статья для ${offer.site}</b>`,
      lines(
        rich`Проект: ${offer.projectName}`,
        rich`Категория: ${offer.categoryName}`,
        rich`Фраза: «${offer.phrase}»${volumeOf(offer.volume)}`,
        offer.clusters > 0 && rich`Фраз для статей в запасе: ${offer.clusters}`,
        (offer.own ?? 0) > 0 && rich`Ваши фото: ${offer.own!}, бесплатно`,
        (offer.own ?? 0) > 0
          ? rich`Нарисованные картинки: ${offer.images > 0 ? offer.images : 'нет'}`
          : rich`Картинки: ${offer.images > 0 ? offer.images : 'без картинок'}`,
      ),
      knowledgeLines(offer),
      offer.clash ? clashText(offer.clash) : null,
      !offer.clash &&
        offer.reused &&
        rich`По этой фразе уже писали в последние 90 дней: новая статья будет спорить с прежней за место в поиске.`,
      lines(
        rich`Стоимость: не больше ${ofTokens(cost)}${offer.pictures > 0 && ` (текст ${offer.text}, картинки ${offer.pictures})`}${offer.isAdmin && ' · GOD_MODE, бесплатно'}`,
        rich`На балансе: ${tokens(offer.balance)}${lacking > 0 && `, не хватает ${number(lacking)}`}`,
      ),
      rich`Сначала увидите предпросмотр. Если отменить его, токены вернутся.`,
    ),
    keyboard: [
      ...(failure?.code === 'OUT_OF_TOKENS' || lacking > 0 ? [[topUp]] : []),
      [button('Создать статью', to('pub:article:confirm'), 'success')],
      ...knowledgeKeys(offer),
      [button('Другая фраза', to('pub:article:phrases'))],
      ...photoKeys(offer),
      pictureKeys(offer.images),
      [button('Отмена', to('fsm:cancel'))],
    ],
  };
}

/** Named with its link: two articles about one question take places in the search from each other. */
const clashText = ({ title, url, state }: Clash): RichText =>
  rich`⚠ Об этом уже ${state === 'published' ? 'есть статья' : 'написан черновик'}: ${url === null ? rich`«${title}»` : rich`<a href="${url}">${title}</a>`}. Новая будет спорить с ней за место в поиске — лучше взять другую фразу.`;

/** Own photos come before drawn ones. */
function photoKeys({ ownPhotos = 0, own = 0 }: ArticleOffer): Button[][] {
  if (ownPhotos === 0) return [];
  const all = Math.min(ownPhotos, mostPictures);
  if (own === 0) return [[button(`Взять мои фото (${all})`, to('pub:article:photos:{n}', { n: all }))]];
  return [
    [
      button(own === 1 ? 'Без моих фото' : '− моё фото', to('pub:article:photos:{n}', { n: own - 1 })),
      ...(own < all ? [button('+ моё фото', to('pub:article:photos:{n}', { n: own + 1 }))] : []),
    ],
  ];
}

const pictureKeys = (count: number): Button[] => [
  ...(count > 0 ? [button('− картинка', to('pub:article:pictures:{n}', { n: count - 1 }))] : []),
  ...(count < mostPictures ? [button('+ картинка', to('pub:article:pictures:{n}', { n: count + 1 }))] : []),
];

function phrasesScreen(
  { categoryId, categoryName }: ArticleOffer,
  { items, hasMore }: OfferedPhrases,
): Screen {
  const back = [button('Назад', to('pub:article:back'))];
  if (items.length === 0)
    return {
      text: rich`Других фраз для статей в категории «${categoryName}» нет. Подберите ещё: это займёт пару минут.`,
      keyboard: [[button('Подобрать фразы', to('kw:{cid}:gen', { cid: categoryId }))], back],
    };
  return {
    text: paragraphs(
      rich`<b>О чём написать?</b>`,
      rich`Рядом с фразой — сколько раз в месяц её ищут. Сначала те, по которым статьи ещё не было.`,
    ),
    keyboard: [
      ...items.map(({ phrase, volume, used, clash }, i) => [
        button(
          [phrase, volume !== null && number(volume), used ? 'уже была' : clash && 'похожая уже есть']
            .filter(Boolean)
            .join(' · '),
          to('pub:article:phrase:{i}', { i }),
        ),
      ]),
      ...(hasMore ? [[button('Ещё фразы', to('pub:article:phrases:more'))]] : []),
      back,
    ],
  };
}

/** Free versions are over: nothing is spent before the person says so. */
function versionScreen(
  { isAdmin }: ArticleOffer,
  { title, nextPrice, nextTextPrice }: ArticlePreview,
  wish: string | null,
  data: ArticleData | undefined,
): Screen {
  const price = wish === null ? nextPrice : (nextTextPrice ?? nextPrice);
  return {
    text: paragraphs(
      wish === null ? rich`<b>Ещё один вариант?</b>` : rich`<b>Изменить статью?</b>`,
      wish !== null && rich`Просьба: «${wish}»`,
      rich`Два бесплатных варианта уже написаны. Следующий стоит ${tokens(price)}${isAdmin && ' · GOD_MODE, бесплатно'}, он заменит статью «${title}».`,
      data?.balance !== undefined && rich`На балансе: ${tokens(data.balance)}`,
    ),
    keyboard: [
      [button(`Написать за ${tokens(price)}`, to('pub:article:pay'), 'success')],
      [button('Оставить как есть', to('pub:article:back'))],
    ],
  };
}

/** X09: said before, because it cannot be taken back. */
function takeHtmlScreen(preview: ArticlePreview): Screen {
  return {
    text: paragraphs(
      rich`<b>Скачать HTML?</b>`,
      rich`Пришлю статью «${preview.title}» файлом: его можно открыть в браузере и вставить на любой сайт${preview.images > 0 && ', картинки внутри'}.`,
      rich`После этого токены за статью (${number(refundOf(preview))}) уже не вернутся: ни при отмене, ни когда пройдут сутки. Опубликовать её${preview.nextPrice === 0 ? ', поменять' : ''} и скачать ещё раз можно будет по-прежнему, без новой оплаты.`,
    ),
    keyboard: [
      [button('Да, скачать', to('pub:article:html:take'), 'success')],
      [button('Не сейчас', to('pub:article:back'))],
    ],
  };
}

function htmlTakenScreen(
  { site, isAdmin }: ArticleOffer,
  preview: ArticlePreview,
  data: ArticleData | undefined,
): Screen {
  const { document } = data ?? {};
  return {
    text:
      document === null
        ? draftGone(preview)
        : paragraphs(
            rich`<b>Статья «${preview.title}» — файлом в этом чате</b>`,
            rich`Откройте его в браузере: это вся статья с ${preview.images > 0 && 'картинками, '}заголовком и описанием для поиска. Код из файла можно вставить на любой сайт.`,
            !isAdmin && rich`Токены за неё больше не возвращаются.`,
            site !== null && rich`Опубликовать её на ${site} можно по-прежнему, без новой оплаты.`,
          ),
    keyboard: [toDraft],
    ...(document && { file: document }),
  };
}

const draftGone = ({ title }: ArticlePreview): RichText =>
  rich`Черновика «${title}» уже нет: он опубликован, удалён или пролежал сутки.`;

const unreadable = rich`Показать статью одним сообщением не получилось. Откройте предпросмотр или скачайте HTML.`;

const toDraft: Button[] = [button('К черновику', to('pub:article:back'))];

/** Nothing would come back any more: the HTML was taken. */
const isPaidOut = (preview: ArticlePreview): boolean =>
  preview.final !== undefined && refundOf(preview) === 0;

/** It may be on a site already: on this one, or on another one. */
const isInDoubt = ({ mayBeOn = [] }: ArticleOffer, { inDoubt = false }: ArticlePreview): boolean =>
  inDoubt || mayBeOn.length > 0;

function draftLife(preview: ArticlePreview): string {
  if (isPaidOut(preview))
    return 'HTML у вас: токены за статью больше не возвращаются. Черновик хранится 24 часа.';
  if (preview.final !== undefined)
    return `HTML прежнего варианта у вас. Черновик хранится 24 часа, потом вернётся ${tokens(refundOf(preview))} за новый вариант.`;
  return 'Черновик хранится 24 часа, потом токены вернутся сами.';
}

const cancelLabel = (preview: ArticlePreview): string => {
  if (isPaidOut(preview)) return 'Удалить черновик';
  return preview.final === undefined
    ? 'Отмена — вернуть токены'
    : `Отмена — вернуть ${tokens(refundOf(preview))}`;
};

function previewScreen(slice: ArticleSlice, data: ArticleData | undefined): Screen {
  const { failure } = slice;
  const [offer, preview] = [slice.offer!, slice.preview!];
  const { telegraphUrl, returned } = preview;
  const { mayBeOn = [] } = offer;
  return {
    text: paragraphs(
      failure && rich`⚠ ${passingTrouble(failure)}`,
      mayBeOn.length > 0 && mayBeThere(mayBeOn),
      preview.inDoubt === true &&
        failure?.code !== 'PUBLISH_UNKNOWN' &&
        rich`⚠ Статья могла уже выйти на ${offer.site}: ответ оттуда потерялся. Посмотрите там. Если её нет, опубликуйте ещё раз.`,
      preview.changes !== undefined && rich`✓ Изменено: ${preview.changes}`,
      rich`<b>${preview.title}</b>`,
      lines(
        rich`${plural(preview.words, 'слово', 'слова', 'слов')} · ${plural(preview.sections, 'раздел', 'раздела', 'разделов')} · ${picturesOf(preview)}`,
        rich`Фраза: «${preview.phrase}»${volumeOf(offer.volume)}`,
        !offer.isAdmin &&
          rich`Списано: ${tokens(preview.spent)}${returned > 0 && ` (${tokensReturned(returned).toLowerCase()})`}`,
        offer.site !== null && rich`Сайт: ${offer.site}`,
      ),
      preview.verdict !== undefined && verdictLines(preview.verdict),
      preview.warnings.length > 0 && lines(...preview.warnings.map((warning) => rich`• ${warning}`)),
      telegraphUrl === null &&
        paragraphs(
          rich`Страница предпросмотра не открылась, вот начало текста:`,
          rich`<blockquote>${preview.excerpt}</blockquote>`,
        ),
      rich`Хотите что-то поменять? Напишите словами, например: «короче вступление, добавьте про доставку».`,
      rich`<i>${offer.site !== null && 'На сайте оформление будет по теме сайта. '}${isInDoubt(offer, preview) ? doubtLife : draftLife(preview)}</i>`,
    ),
    keyboard: previewKeys(offer, preview, slice, data),
  };
}

const wishComplaint = (misfit: Misfit): RichText =>
  misfit === 'too-long'
    ? rich`Слишком длинно: уложите просьбу в ${MOST_WISH} символов.`
    : rich`Напишите подробнее, что поменять в статье.`;

/** What the score means: at most three of each, so that the preview stays a glance. */
const verdictLines = ({ score, strengths, weaknesses }: ArticleVerdict) =>
  lines(
    rich`Оценка текста: ${score} из 100`,
    ...strengths.map((strength) => rich`✓ ${strength}`),
    ...weaknesses.map((weakness) => rich`✗ ${weakness}`),
  );

function previewKeys(
  offer: ArticleOffer,
  preview: ArticlePreview,
  { failure, tried = 'publish' }: Pick<ArticleSlice, 'failure' | 'tried'>,
  data: ArticleData | undefined,
): Keyboard {
  const { telegraphUrl, regenerations, nextPrice } = preview;
  const again = nextPrice === 0 ? `${regenerations}/${freeRegenerations}` : `~${tokens(nextPrice)}`;
  const failed = failure !== null && publishFailures.includes(failure.code) ? tried : null;
  const publish =
    failed === 'publish'
      ? 'Опубликовать ещё раз'
      : offer.mayBeOn?.length
        ? 'Всё равно опубликовать'
        : 'Опубликовать';
  const save = failed === 'save' ? 'Сохранить черновиком ещё раз' : 'Сохранить черновиком в WordPress';
  const repair = failure && repairs[failure.code]?.(offer, preview);
  return [
    ...(telegraphUrl === null ? [] : [[urlButton('Открыть предпросмотр', telegraphUrl)]]),
    [
      offer.site === null
        ? button('Подключить сайт и опубликовать', to('pipe:site_new'), 'success')
        : button(publish, to('pub:article:publish'), 'success'),
    ],
    ...(repair ? [[repair]] : []),
    ...(offer.site === null ? [] : [[button(save, to('pub:article:save'))]]),
    [
      button('Скачать HTML', to('pub:article:html')),
      ...(data?.isReadable ? [button('Читать здесь', to('pub:article:read'))] : []),
    ],
    [button(`Перегенерировать (${again})`, to('pub:article:regen'))],
    [button(cancelLabel(preview), to('pub:article:cancel'), 'danger')],
  ];
}

/** The other failures are of another version, or of a cancellation. */
const publishFailures = ['PUBLISH', 'PUBLISH_UNKNOWN', 'CONNECTION_GONE'];

const topUp = button('Пополнить', to('nav:tariffs'));

/** What helps against a failure, by its code. */
const repairs: Readonly<Record<string, (offer: ArticleOffer, preview: ArticlePreview) => Button | null>> = {
  OUT_OF_TOKENS: () => topUp,
  PUBLISH: ({ connectionId: nid }) =>
    nid === null ? null : button('Проверить подключение', to('conn:{nid}:probe', { nid })),
  CONNECTION_GONE: (_, { draftId: n }) => button('Выбрать сайт', to('draft:{n}:open', { n })),
};

const toCategory = ({ categoryId }: ArticleOffer) => to('category:{cid}:card', { cid: categoryId });

export const failedNotice = (failure: Failure | null): RichText =>
  failure
    ? rich`Статья не получилась. ${passingTrouble(failure)}`
    : rich`Статья не получилась. Попробуйте ещё раз.`;

const volumeOf = (volume: number | null): string =>
  volume === null ? '' : ` (${plural(volume, 'запрос', 'запроса', 'запросов')} в месяц)`;

function picturesOf({ images, imagesWanted }: ArticlePreview): string {
  if (images < imagesWanted) return `картинок ${images} из ${imagesWanted}`;
  return images === 0 ? 'без картинок' : plural(images, 'картинка', 'картинки', 'картинок');
}
