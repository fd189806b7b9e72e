import type { Failure } from '../../../machines/failure.ts';
import type { PostDraft, PostOffer, PublishedPost } from '../../../machines/fragments/post-ports.ts';
import { freePostVersions, MOST_WISH, type PostSlice } from '../../../machines/fragments/post-work.ts';
import { isPlatform, platformTitle, postRulesOf, takesPosts } from '../../platforms/platforms.ts';
import { number, ofTokens, tokens, tokensReturned } from '../../russian.ts';
import { press } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { passingTrouble } from '../kit/money.ts';
import { lengthOf, postText } from '../kit/post-text.ts';
import { progressScreen, type Stages } from '../kit/progress.ts';
import { triedBefore } from '../kit/save-step.ts';
import {
  button,
  type Keyboard,
  lines,
  type Picture,
  paragraphs,
  type Redirect,
  type RichText,
  rich,
  type Screen,
  urlButton,
} from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';

/** What the screens of a post show beside the context. */
export type PostData = {
  /** As it will be sent, with the platform's markup. Null: its day is over, or it was ended elsewhere. */
  post: { text: string; title: string | null; link: string | null; picture: Picture | null } | null;
  /** Tokens, now. */
  balance: number | null;
};

type Show = (slice: PostSlice, data?: PostData) => Screen;

const writing: Stages = [
  ['writing', 'Пишу текст'],
  ['images', 'Рисую картинку'],
];
const MOST_CAPTION = 1_024;
const MOST_SHOWN = 3_300;
/** The line between the post and what is said of it, with its blank lines. */
const ROOM_AROUND = 8;
const hint = rich`<i>Поправить? Напишите, что изменить.</i>`;

/** From the price to the channel. The offer is there in all of these states. `prefix` begins the links of the host. */
export function postScreens(prefix: string, costWays: Keyboard) {
  const link = (action: string) => to(`${prefix}:${action}`);
  const back = button('Назад', link('review'));
  const cancel = button('Отмена — вернуть токены', link('cancel'), 'danger');
  return {
    confirm_cost: ({ post: { offer }, balance = offer!.balance, failure }) =>
      costScreen({ ...offer!, balance }, failure, link('confirm'), costWays),
    generating: ({ post: { offer, stage }, late }) =>
      progressScreen(
        rich`<b>Пишу пост</b> по фразе «${offer!.phrase}». Обычно это до полуминуты.`,
        offer!.images > 0 ? writing : writing.slice(0, 1),
        { stage, late },
      ),
    review: ({ post, failure }, data) => ({
      ...(post.misfit && { complaint: wishComplaint }),
      ...reviewText(post.offer!, post.draft!, failure, data),
      keyboard: [
        [button(publishLabel(failure), link('publish'), 'success')],
        ...repairs(post.offer!, post.draft!, failure),
        [button(`Перегенерировать (${versionPrice(post.draft!)})`, link('regen'))],
        [button('Вписать свой текст', link('text'))],
        [cancel],
      ],
    }),
    regenerate_cost: ({ post: { offer, draft, wish } }, data) => {
      const price = wish === null ? draft!.nextPrice : draft!.nextTextPrice;
      const balance = data?.balance ?? null;
      return {
        text: paragraphs(
          wish === null ? rich`<b>Ещё вариант</b>` : lines(rich`<b>Правка</b>`, rich`<i>${wish}</i>`),
          rich`Бесплатные правки закончились: их ${freePostVersions} на пост. Эта стоит ${tokens(price)}${offer!.isAdmin && ' · GOD_MODE, бесплатно'}.`,
          balance !== null && rich`На балансе: ${tokens(balance)}.${shortage(offer!, price, balance)}`,
        ),
        keyboard: [
          [button(`Да, за ${tokens(price)}`, link('confirm'), 'success')],
          ...(balance !== null && balance < price ? [[topUp]] : []),
          [back],
        ],
      };
    },
    regenerating: ({ post: { offer, stage, wish }, late }) =>
      progressScreen(
        wish === null
          ? rich`<b>Пишу другой вариант</b> по фразе «${offer!.phrase}». Прежний пока на месте.`
          : rich`<b>Правлю пост:</b> <i>${wish}</i>`,
        wish === null && offer!.images > 0 ? writing : writing.slice(0, 1),
        { stage, late },
      ),
    review_text: ({ post: { offer }, failure }) => ({
      text: paragraphs(
        failure && rich`⚠ ${passingTrouble(failure)}`,
        rich`<b>Свой текст</b>`,
        rich`Пришлите текст поста целиком: он выйдет слово в слово, бесплатно. Помещается ${number(limitOf(offer!.platform))} символов, картинка останется.`,
      ),
      keyboard: [[back]],
    }),
    saving_text: () => ({ text: rich`Сохраняю текст…`, keyboard: [] }),
    publishing: ({ post: { offer }, late }) => ({
      text: paragraphs(
        rich`<b>Публикую пост</b> · ${titled(offer!)}`,
        late
          ? rich`Дольше обычного: площадка отвечает медленно. Ждать в чате не обязательно.`
          : rich`Обычно это несколько секунд.`,
      ),
      keyboard: [],
    }),
    publish_unknown: ({ post: { offer, doubt }, failure }) => ({
      text: paragraphs(failure && rich`⚠ ${passingTrouble(failure)}`, lostAnswerText(offer!.place, doubt)),
      keyboard: [
        ...openPlace(offer!.placeUrl),
        [button('Он там', link('arrived'), 'success')],
        [button('Его нет — отправить ещё раз', link('publish'))],
        [button('Его нет — вернуть токены', link('missed'), 'danger')],
      ],
    }),
    confirming: () => ({ text: rich`Отмечаю пост опубликованным…`, keyboard: [] }),
    cancelling: () => ({ text: rich`Отменяю и возвращаю токены…`, keyboard: [] }),
  } satisfies Record<string, Show>;
}

/** For a person who has left meanwhile. */
export const postBehind = {
  confirm_cost: ({ post: { offer }, failure }) => ({
    text: paragraphs(rich`Пост по фразе «${offer!.phrase}» не начался.`, rich`${failure?.userMessage ?? ''}`),
    keyboard: [[button('К категории', toCategory(offer!))], [menuButton]],
  }),
  review: ({ post: { offer, draft }, failure }) => ({
    text: failure
      ? paragraphs(rich`Пост для ${titled(offer!)}: ${passingTrouble(failure)}`, rich`Текст цел.`)
      : paragraphs(
          rich`<b>Пост готов</b> · ${titled(offer!)}`,
          rich`Посмотрите и решите, публиковать ли его.`,
        ),
    keyboard: [
      [button('Открыть', to('post:{n}:open', { n: draft!.draftId }), 'primary')],
      [button('К категории', toCategory(offer!))],
      [menuButton],
    ],
  }),
  publish_unknown: ({ post: { offer, draft, doubt } }) =>
    lostAnswerScreen({
      draftId: draft!.draftId,
      place: offer!.place,
      placeUrl: offer!.placeUrl,
      why: doubt,
    }),
} satisfies Record<string, Show>;

/** What stays of it for a person who goes elsewhere. */
export const postRemains = {
  generating: ({ post: { offer } }) =>
    rich`Пост по фразе «${offer!.phrase}» пишется дальше: за него списано не больше ${ofTokens(offer!.text + offer!.pictures)}. Когда будет готов, пришлю его сюда. Если не получится, токены вернутся сами.`,
  regenerating: () =>
    rich`Другой вариант поста пишется дальше и придёт сюда. Если он не получится, его токены вернутся сами.`,
  publishing: ({ post: { offer } }) =>
    rich`Пост публикуется: ${titled(offer!)}. Результат придёт сюда, остановить это уже нельзя.`,
  review: ({ post: { offer }, failure }) =>
    isKept(failure)
      ? rich`Пост хранится 24 часа: откройте категорию «${offer!.categoryName}» и выберите ${platformTitle(offer!.platform)}.`
      : rich`Пост для ${titled(offer!)} не опубликован, его текст не сохранится.`,
  publish_unknown: ({ post: { offer } }) =>
    rich`Пост для ${titled(offer!)} ждёт вашего ответа 72 часа: откройте категорию «${offer!.categoryName}» и выберите ${platformTitle(offer!.platform)}.`,
} satisfies Record<string, (slice: PostSlice) => RichText>;

/** Which button means which event, for a host whose links begin so. */
export const postPresses = (prefix: string) => [
  press(`${prefix}:confirm`, () => ({ type: 'cost.accepted' }) as const),
  press(`${prefix}:publish`, () => ({ type: 'draft.approved' }) as const),
  press(`${prefix}:regen`, () => ({ type: 'draft.declined' }) as const),
  press(`${prefix}:text`, () => ({ type: 'text.wanted' }) as const),
  press(`${prefix}:review`, () => ({ type: 'review.resumed' }) as const),
  press(`${prefix}:arrived`, () => ({ type: 'post.seen' }) as const),
  press(`${prefix}:missed`, () => ({ type: 'post.missed' }) as const),
  press(`${prefix}:cancel`, () => ({ type: 'cancelled' }) as const),
];

/** The result page, with what the platform did not take. */
export function publishedPostEnd({ publicationId, url, warnings }: PublishedPost): Redirect {
  if (publicationId === null)
    return { open: to('nav:projects'), notice: rich`Пост опубликован${url && `: ${url}`}. Проект удалён.` };
  const open = to('publication:{n}:result', { n: publicationId });
  return warnings.length === 0
    ? { open }
    : { open, notice: lines(...warnings.map((warning) => rich`• ${warning}`)) };
}

export const postNotices = {
  gone: rich`Этого поста уже нет: он опубликован, отменён или пролежал сутки.`,
  expired: rich`Пост устарел: он хранится 24 часа.`,
  moved: (place: string): RichText => rich`Готово: пост теперь для «${place}». Посмотрите его и опубликуйте.`,
  left: rich`Пост ждёт вашего ответа. Если не ответить, через 72 часа он будет отмечен опубликованным.`,
  cancelled: (returned: number): RichText =>
    returned > 0 ? rich`Пост отменён. ${tokensReturned(returned)}.` : rich`Пост отменён.`,
  failed: (failure: Failure | null): RichText =>
    failure
      ? rich`Пост не получился. ${passingTrouble(failure)}`
      : rich`Пост не получился. Попробуйте ещё раз.`,
};

export type LostAnswer = { draftId: number; place: string; placeUrl: string | null; why: string | null };

/** Sent to a person who is elsewhere: whether their post went out is unknown. */
export const lostAnswerScreen = ({ draftId: n, place, placeUrl, why }: LostAnswer): Screen => ({
  text: lostAnswerText(place, why),
  keyboard: [...openPlace(placeUrl), ...doubtKeys(n), [menuButton]],
});

/** What its owner says of a post whose answer was lost. */
export const doubtKeys = (n: number): Keyboard => [
  [button('Он там', to('post:{n}:arrived', { n }), 'success')],
  [button('Его нет — отправить ещё раз', to('post:{n}:again', { n }))],
  [button('Его нет — вернуть токены', to('post:{n}:refund', { n }), 'danger')],
];

export const lostAnswerText = (place: string, why: string | null): RichText =>
  paragraphs(
    rich`<b>Ответ потерялся: пост мог выйти</b>`,
    why !== null && rich`${why}`,
    rich`Посмотрите в «${place}», там ли он, и нажмите кнопку. Сам бот второй раз не отправит, чтобы пост не вышел дважды. Если не ответить, через 72 часа он будет отмечен опубликованным.`,
  );

export const openPlace = (url: string | null): Keyboard =>
  url === null ? [] : [[urlButton('Открыть канал', url)]];

function costScreen(
  offer: PostOffer,
  failure: Failure | null,
  confirm: ReturnType<typeof to>,
  ways: Keyboard,
): Screen {
  const cost = offer.text + offer.pictures;
  return {
    text: paragraphs(
      failure && rich`${failure.userMessage ?? 'Не получилось начать.'}${triedBefore(failure)}`,
      rich`<b>Пост для ${titled(offer)}</b>`,
      lines(
        rich`Проект: ${offer.projectName}`,
        rich`Категория: ${offer.categoryName}`,
        rich`Фраза: «${offer.phrase}»`,
        rich`Картинка: ${pictureWords(offer)}`,
      ),
      offer.reused &&
        rich`Все фразы категории уже использованы за последние 7 дней, поэтому эта пойдёт ещё раз.`,
      lines(
        rich`Стоимость: не больше ${ofTokens(cost)}${offer.pictures > 0 && ` (текст ${offer.text}, картинка ${offer.pictures})`}${offer.isAdmin && ' · GOD_MODE, бесплатно'}`,
        rich`На балансе: ${tokens(offer.balance)}.${shortage(offer, cost, offer.balance)}`,
      ),
      rich`Сначала увидите пост таким, каким он выйдет. Если отменить его, токены вернутся.`,
    ),
    keyboard: [
      ...(failure?.code === 'OUT_OF_TOKENS' || isShort(offer, cost, offer.balance) ? [[topUp]] : []),
      [button('Создать пост', confirm, 'success')],
      ...ways,
    ],
  };
}

/** The post as it will look; below it, as far as there is room, what else there is to say. */
function reviewText(
  offer: PostOffer,
  draft: PostDraft,
  failure: Failure | null,
  data: PostData | undefined,
): Pick<Screen, 'text' | 'photo'> {
  const about = rich`<i>Так пост выйдет: ${titled(offer)}. Чтобы поправить его, напишите, что изменить: «короче», «без эмодзи», «добавь цену».</i>`;
  return postAsShown(offer, draft, failure, data, { about, short: hint });
}

/** `short` takes the place of `about` where there is less room. */
export function postAsShown(
  { platform }: Pick<PostOffer, 'platform'>,
  draft: PostDraft,
  failure: Failure | null,
  data: PostData | undefined,
  { about, short }: { about: RichText; short: RichText | null },
): Pick<Screen, 'text' | 'photo'> {
  const { picture = null } = data?.post ?? {};
  const post = data?.post ? asItWillLook(platform, data.post) : rich`<i>Пост уже не открыть: он устарел.</i>`;
  const isCut = lengthOf(post) > MOST_SHOWN;
  const told = lines(
    isCut && rich`Пост длинный: здесь видно начало, выйдет он целиком.`,
    ...draft.warnings.map((warning) => rich`• ${warning}`),
    about,
  );
  // A line about the post must not change its look: as a caption it goes out, as a caption it is shown.
  const room = MOST_CAPTION - lengthOf(post) - ROOM_AROUND;
  const isTight = picture !== null && room + ROOM_AROUND >= 0 && draft.warnings.length === 0 && !failure;
  const fits = (words: RichText) => !isTight || lengthOf(words) <= room;
  const below = [told, ...(short ? [short] : [])].find(fits) ?? null;
  return {
    text: paragraphs(
      failure && rich`⚠ ${passingTrouble(failure)}`,
      isCut ? cut(post) : post,
      below && rich`———`,
      below,
    ),
    ...(picture && { photo: picture }),
  };
}

function asItWillLook(platform: string, { text, title, link }: NonNullable<PostData['post']>): RichText {
  const hasMarkup = isPlatform(platform) && takesPosts(platform) && postRulesOf(platform).tags.length > 0;
  return paragraphs(
    title !== null && rich`<b>${title}</b>`,
    hasMarkup ? postText(text) : rich`${text}`,
    link !== null && rich`🔗 ${link}`,
  );
}

/** Without its markup: a tag that was cut off would stay open. */
function cut(text: RichText): RichText {
  const read = text.map((part) => ('value' in part ? part.value : part.markup.replace(/<[^>]*>/gu, '')));
  return rich`${read.join('').slice(0, MOST_SHOWN).toWellFormed()}…`;
}

const pictureWords = ({ images, isBare }: PostOffer): string => {
  if (images > 0) return 'будет';
  return isBare ? 'без картинки, этот ключ доступа их не пускает' : 'без картинки';
};

const titled = ({ platform, place }: PostOffer): RichText => rich`${platformTitle(platform)} · ${place}`;

const limitOf = (platform: string): number =>
  isPlatform(platform) && takesPosts(platform) ? postRulesOf(platform).limit : 0;

const wishComplaint = rich`Напишите, что изменить, в двух словах: от 2 до ${MOST_WISH} символов. Целый текст можно прислать кнопкой «Вписать свой текст».`;

const versionPrice = ({ regenerations, nextPrice }: PostDraft): string =>
  nextPrice === 0 ? `${regenerations}/${freePostVersions}` : `~${tokens(nextPrice)}`;

const isShort = ({ isAdmin }: PostOffer, cost: number, balance: number): boolean =>
  !isAdmin && balance < cost;

const shortage = (offer: PostOffer, cost: number, balance: number): string =>
  isShort(offer, cost, balance) ? ` Не хватает ${number(cost - balance)}.` : '';

/** After these the platform has nothing of the post, and the post is kept for a day. */
const publishFailures = ['PUBLISH', 'PUBLISH_CHANNEL', 'CONNECTION_GONE', 'PLATFORM_OFF'];
const isKept = (failure: Failure | null): boolean =>
  failure !== null && publishFailures.includes(failure.code);

const publishLabel = (failure: Failure | null): string =>
  isKept(failure) ? 'Опубликовать ещё раз' : 'Опубликовать';

const topUp = button('Пополнить', to('nav:tariffs'));

/** What helps against a failure, by its code. */
function repairs(
  { connectionId: nid, projectId: pid }: PostOffer,
  { draftId: n }: PostDraft,
  failure: Failure | null,
): Keyboard {
  const toConnections = button('К подключениям', to('project:{pid}:connections', { pid }));
  const elsewhere = button('Другой канал', to('post:{n}:elsewhere', { n }));
  const rows: Readonly<Record<string, Keyboard>> = {
    OUT_OF_TOKENS: [[topUp]],
    PUBLISH: [[button('Проверить подключение', to('conn:{nid}:probe', { nid }))]],
    PUBLISH_CHANNEL: [
      [
        button('Проверить снова', to('conn:{nid}:probe', { nid })),
        button('Переподключить', to('conn:{nid}:reconnect', { nid })),
      ],
      [elsewhere],
    ],
    CONNECTION_GONE: [[toConnections, elsewhere]],
    PLATFORM_OFF: [[toConnections]],
  };
  return (failure && rows[failure.code]) ?? [];
}

const toCategory = ({ categoryId }: PostOffer) => to('category:{cid}:card', { cid: categoryId });
