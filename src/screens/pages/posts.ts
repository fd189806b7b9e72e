import { connectionName } from '../../connection-name.ts';
import { type PostPlatform, platformTitle } from '../../platforms/platforms.ts';
import { prices } from '../../prices.ts';
import { tokens, tokensCharged, tokensReturned } from '../../russian.ts';
import { automationText } from '../fragments/automation-offer.ts';
import { hintText } from '../fragments/hint.ts';
import { type LostAnswer, lostAnswerScreen } from '../fragments/post-work.ts';
import { to } from '../kit/link.ts';
import { button, lines, paragraphs, rich, type Screen, urlButton } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';
import {
  type Advice,
  automationKeys,
  type ConnectionItem,
  hintKeys,
  type PublishedResult,
  toCategory,
  waysFromResult,
} from './publishing.ts';

/** Which of the project's channels is the post for? */
export const whichChannelScreen = (
  { categoryId: cid, categoryName }: { categoryId: number; categoryName: string },
  channels: readonly ConnectionItem[],
): Screen => ({
  text: paragraphs(rich`<b>Опубликовать пост</b> · ${categoryName}`, rich`Куда?`),
  keyboard: [
    ...channels.map((channel) => [
      button(
        `${channel.status === 'active' ? '' : '⚠ '}${platformTitle(channel.platform)}: ${connectionName(channel)}`,
        to('category:{cid}:conn:{nid}:publish', { cid, nid: channel.id }),
      ),
    ]),
    [toCategory(cid)],
  ],
});

/** A channel is known, the topic is not. */
export const whichTopicScreen = (
  channel: { id: number; projectId: number; name: string },
  categories: readonly { id: number; name: string }[],
): Screen => ({
  text: paragraphs(
    rich`<b>Пост</b> · ${channel.name}`,
    categories.length > 0
      ? rich`О чём написать? Выберите категорию.`
      : rich`В проекте пока нет категорий, а пост пишется о чём-то одном. Создайте первую.`,
  ),
  keyboard: [
    ...categories.map(({ id: cid, name }) => [
      button(name, to('category:{cid}:conn:{nid}:publish', { cid, nid: channel.id })),
    ]),
    ...(categories.length > 0
      ? []
      : [[button('Создать категорию', to('project:{pid}:cat_new', { pid: channel.projectId }), 'success')]]),
    [button('К подключению', to('conn:{nid}:manage', { nid: channel.id }))],
  ],
});

export const nothingToPostScreen = (cid: number): Screen => ({
  text: rich`В категории пока нет фраз, а пост пишется по фразе. Подберите хотя бы одну. Токены не списаны.`,
  keyboard: [[button('Подобрать фразы', to('kw:{cid}:gen', { cid }), 'primary')], [toCategory(cid)]],
});

export const homelessPostScreen = ({
  draftId: n,
  place,
  projectId: pid,
  categoryId,
}: {
  draftId: number;
  place: string;
  projectId: number;
  categoryId: number;
}): Screen => ({
  text: paragraphs(
    rich`Канал «${place}», для которого писался пост, отключён от проекта.`,
    rich`Подключите его снова, и пост откроется. Или верните токены.`,
  ),
  keyboard: [
    [button('К подключениям', to('project:{pid}:connections', { pid }), 'primary')],
    [button('Другой канал', to('post:{n}:elsewhere', { n }))],
    [toCategory(categoryId)],
    [button('Отмена — вернуть токены', to('post:{n}:refund', { n }), 'danger')],
  ],
});

/** Where a post that waits could go instead. */
export type OtherPlaces = {
  draftId: number;
  phrase: string;
  projectId: number;
  categoryId: number;
  platform: PostPlatform;
  /** Its present place by name; null: that one is not connected any more. */
  place: string | null;
  others: { id: number; name: string }[];
};

/** The text was written for one platform: any other place there can take it. */
export const otherPlacesScreen = ({
  draftId: n,
  phrase,
  projectId: pid,
  categoryId,
  platform,
  place,
  others,
}: OtherPlaces): Screen => ({
  text: paragraphs(
    rich`<b>Пост «${phrase}»</b> · ${platformTitle(platform)}`,
    place !== null && rich`Сейчас он для «${place}».`,
    others.length > 0
      ? rich`Его можно отправить в другое место: текст останется тем же, платить ещё раз не нужно. Куда?`
      : rich`Другого места для него в проекте нет. Подключите ещё одно, и пост можно будет отправить туда без новой оплаты.`,
  ),
  keyboard: [
    ...(place === null ? [] : [[button('Открыть пост', to('post:{n}:open', { n }), 'primary')]]),
    ...others.map(({ id: nid, name }) => [button(name, to('post:{n}:move:{nid}', { n, nid }))]),
    [button(`+ ${platformTitle(platform)}`, to(`project:{pid}:conn_add:${platform}`, { pid }))],
    [toCategory(categoryId)],
  ],
});

/** `crossable`: the number of the publication that can go to other channels as well. */
export function publishedPostScreen(
  result: PublishedResult,
  { automation, hint }: Advice,
  crossable: number | null = null,
): Screen {
  const { categoryId: cid, connectionId: nid, url, site, keyword } = result;
  return {
    text: paragraphs(
      rich`<b>Пост опубликован</b>${site && ` · ${site}`}`,
      lines(keyword !== null && rich`По фразе «${keyword}»`, url !== null && rich`${url}`),
      lines(rich`${tokensCharged(result.tokens)}`, rich`На балансе ${tokens(result.balance)}`),
      hint && hintText(hint),
      automation && automationText(automation),
    ),
    keyboard: [
      ...(url ? [[urlButton('Открыть пост', url)]] : []),
      ...(crossable === null
        ? []
        : [[button(`Кросс-пост (${prices.crossPost})`, to('pipeline:crosspost:{n}', { n: crossable }))]]),
      ...(cid !== null && nid !== null
        ? [[button('Ещё пост', to('category:{cid}:conn:{nid}:publish', { cid, nid }), 'primary')]]
        : []),
      ...hintKeys({ automation, hint }),
      ...automationKeys(result, automation),
      ...waysFromResult(result),
    ],
  };
}

/** What became of a post that its owner is no longer looking at. */
export type PostNews =
  | {
      kind: 'published';
      keyword: string;
      publicationId: number | null;
      url: string | null;
      /** What the platform did not take. */
      warnings?: readonly string[];
    }
  | ({ kind: 'unknown'; keyword: string } & LostAnswer)
  | { kind: 'failed'; keyword: string; draftId: number; why: string }
  /** 72 hours without an answer. */
  | { kind: 'assumed'; keyword: string }
  | { kind: 'expired'; keyword: string; returned: number };

export function postNewsScreen(news: PostNews): Screen {
  const { keyword } = news;
  switch (news.kind) {
    case 'published':
      return {
        text: paragraphs(
          rich`<b>Пост «${keyword}» опубликован</b>`,
          news.url !== null && rich`${news.url}`,
          ...(news.warnings ?? []).map((warning) => rich`${warning}`),
        ),
        keyboard: [
          ...(news.url === null ? [] : [[urlButton('Открыть пост', news.url)]]),
          ...(news.publicationId === null
            ? []
            : [[button('Подробнее', to('publication:{n}:result', { n: news.publicationId }))]]),
          [menuButton],
        ],
      };
    case 'unknown':
      return lostAnswerScreen(news);
    case 'failed':
      return {
        text: paragraphs(
          rich`<b>Пост «${keyword}» не опубликован</b>`,
          rich`${news.why}`,
          rich`Пост хранится 24 часа: можно попробовать ещё раз или вернуть токены.`,
        ),
        keyboard: [[button('Открыть', to('post:{n}:open', { n: news.draftId }), 'primary')], [menuButton]],
      };
    case 'assumed':
      return {
        text: rich`Пост «${keyword}»: за 72 часа вы не написали, что его нет, поэтому он отмечен опубликованным.`,
        keyboard: [[menuButton]],
      };
    case 'expired':
      return {
        text: rich`Пост «${keyword}» пролежал сутки и удалён. ${tokensReturned(news.returned)}.`,
        keyboard: [[menuButton]],
      };
  }
}
