import type { ContextFrom } from 'xstate';
import type { MessengerName } from '../../../machines/channel-address.ts';
import { phrasesForPosts, type socialPipelineMachine } from '../../../machines/social-pipeline.ts';
import { type PostPlatform, platformTitle } from '../../platforms/platforms.ts';
import { categoryScreens } from '../fragments/category-question.ts';
import {
  crossBehind,
  crossPostedEnd,
  crossPostScreens,
  crossPresses,
  crossRemains,
} from '../fragments/cross-post.ts';
import { messengerPresses, messengerScreens } from '../fragments/messenger-questions.ts';
import { pinterestPresses, pinterestReturn, pinterestScreens } from '../fragments/pinterest-questions.ts';
import {
  type Choices,
  exitScreen,
  goneNotices,
  leftNotice,
  pipelineHead,
  pipelinePresses,
  projectChoiceScreen,
  topicChoiceScreen,
} from '../fragments/pipeline-choices.ts';
import {
  type PostData,
  postBehind,
  postNotices,
  postPresses,
  postRemains,
  postScreens,
  publishedPostEnd,
} from '../fragments/post-work.ts';
import { sitePresses, siteScreens } from '../fragments/project-from-site.ts';
import { projectQuestionScreens, type Reading } from '../fragments/project-questions.ts';
import {
  endedBehind,
  readinessBehind,
  readinessPresses,
  readinessRemains,
  readinessScreens,
} from '../fragments/readiness.ts';
import { vkPresses, vkScreens } from '../fragments/vk-questions.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { trouble } from '../kit/money.ts';
import { pagerRows, paginate } from '../kit/pager.ts';
import { savingFailed, workingOnIt } from '../kit/save-step.ts';
import {
  type Button,
  button,
  type Keyboard,
  paragraphs,
  type RichText,
  rich,
  type Screen,
} from '../kit/screen.ts';
import { menuButton, notices } from '../kit/system.ts';
import { replyLabels } from '../pages/dashboard.ts';

/** What can be chosen and connected at step 2. Read for the screen, never stored with the flow. */
export type ChannelChoices = {
  channels: readonly { id: number; platform: string; name: string; isBroken: boolean }[];
  offered: readonly PostPlatform[];
};
export type SocialData = PostData | { choices: Choices } | ChannelChoices | Reading;
type Context = ContextFrom<typeof socialPipelineMachine>;

const prefix = 'pipe:post';
const cancel = button('Отмена', to('fsm:cancel'));
const headOf = pipelineHead('Пост');
const head = (step: number, title: string, { channelName, ...chosen }: Chosen) =>
  headOf(step, title, { ...chosen, siteName: channelName });
type Chosen = Pick<Context, 'projectName' | 'channelName' | 'categoryName'>;

const project = projectQuestionScreens([cancel]);
const site = siteScreens([cancel]);
const messenger = messengerScreens([[cancel]]);
const vk = vkScreens([[cancel]]);
const pinterest = pinterestScreens([[cancel]]);
const category = categoryScreens<Context>([cancel], (context) => head(3, 'категория', context));
const readiness = readinessScreens<Context>({
  automatic: phrasesForPosts,
  head: (context) => head(4, 'готовность', context),
  isReady: ({ post }) => post.offer !== null,
  words: {
    ready: rich`Фразы: есть, о чём писать`,
    missing: rich`Фразы: пост пишется по тому, что ищут люди. Без них не начать.`,
    unsuitable: rich`Фразы есть, но канал для поста ещё не выбран.`,
  },
  ways: [button('Другая категория', to('pipe:topic_change')), cancel],
});
const post = postScreens(prefix, [
  [button('Другая категория', to('pipe:topic_change')), button('Другой канал', to('pipe:channel_change'))],
  [button('Другой проект', to('pipe:project_change')), button('К чеклисту', to('pipe:checklist'))],
  [cancel],
]);

export const flow = {
  title: 'создание поста',
  titleGenitive: 'создания поста',
  states: {
    taking_stock: () => workingOnIt(rich`Смотрю, что уже готово…`),
    stock_unknown: ({ failure }) =>
      savingFailed(rich`Не получилось посмотреть, что уже готово. Ничего не потеряно.`, failure, [cancel]),

    select_project: (context, data) =>
      projectChoiceScreen(head(1, 'проект', context), context, choicesIn(data)),
    create_project_name: project.name,
    create_project_company: project.company,
    create_project_spec: project.specialization,
    create_project_url: project.website,
    create_project_reading: site.reading,
    create_project_card: site.card,
    create_project_field: site.field,
    saving_project: ({ answers }) => workingOnIt(rich`Создаю проект «${answers.name}»…`),
    project_unsaved: ({ failure }) =>
      savingFailed(rich`Проект пока не создан, ответы сохранены в диалоге.`, failure, [cancel]),

    select_connection: (context, data) => withKeys(channelScreen(context, channelsIn(data)), context),
    connect_tg_channel: messenger.channel,
    connect_tg_token: messenger.token,
    connect_tg_search: messenger.searching,
    connect_tg_verify: messenger.verifying,
    connect_vk_token: vk.token,
    reading_vk_key: vk.reading,
    connect_vk_group: vk.group,
    connecting_vk: vk.saving,
    opening_pinterest: pinterest.opening,
    connect_pinterest_oauth: pinterest.oauth,
    reading_pinterest_boards: pinterest.reading,
    connect_pinterest_board: pinterest.board,
    connecting_pinterest: pinterest.saving,

    select_category: (context, data) =>
      withKeys(
        topicChoiceScreen(head(3, 'категория', context), context, choicesIn(data), to('pipe:channel_change')),
        context,
      ),
    create_category_name: (context) => withKeys(category.name(context), context),
    saving_category: category.saving,
    category_unsaved: category.saveFailed,

    ...readiness,
    readiness_check: (context) => withKeys(readiness.readiness_check(context), context),

    ...post,
    confirm_cost: (context) => withKeys(costScreen(context), context),
    review: (context, data) => ({
      ...(context.gone === 'channel' && { complaint: homeless }),
      ...post.review(context, postIn(data)),
    }),
    regenerate_cost: (context, data) => post.regenerate_cost(context, postIn(data)),

    ...crossPostScreens,
    cross_post_review: (context, data) => crossPostScreens.cross_post_review(context, postIn(data)),
    cross_posted: ({ cross }) => crossPostedEnd(cross),
    cross_post_impossible: ({ cross, failure }) => ({
      open: to('publication:{n}:result', { n: cross.publicationId! }),
      notice: failure ? trouble(failure) : rich`Кросс-пост сейчас не получится. Попробуйте чуть позже.`,
    }),

    published: ({ post }) => publishedPostEnd(post.published!),
    failed: (context) => ({ open: again(context), notice: postNotices.failed(context.failure) }),
    expired: (context) => ({ open: again(context), notice: postNotices.expired }),
    undecided: () => ({ open: to('nav:dashboard'), notice: postNotices.left }),
    cancelled: ({ post }) => ({
      open: to('nav:dashboard'),
      notice: postNotices.cancelled(post.returned),
    }),
    left: () => ({ open: to('nav:dashboard'), notice: leftNotice }),
  },
  behind: {
    ...postBehind,
    confirm_cost: ({ post: { offer }, failure }) =>
      endedBehind(rich`Пост по фразе «${offer!.phrase}» не начался.`, failure && trouble(failure)),
    review: (context) => endedBehind(...reviewWords(context)),
    ...readinessBehind,
    ...connectionBehind(),
    ...crossBehind,
  },
  remains: {
    ...postRemains,
    ...readinessRemains,
    ...crossRemains,
    review: kept,
  },
  kept,
  returns: pinterestReturn,
  missed: {
    'access.refused': () => ({
      text: rich`Pinterest не дал доступ, и подключение вы уже прервали. Ничего не сохранено.`,
      keyboard: [[menuButton]],
    }),
  },
  presses: [
    ...pipelinePresses,
    ...sitePresses,
    ...messengerPresses,
    ...vkPresses,
    ...pinterestPresses,
    ...readinessPresses,
    ...postPresses(prefix),
    ...crossPresses,
    press('pc:skip', () => ({ type: 'website.skipped' })),
    press('pipe:channel:{nid}', ({ nid }) => ({ type: 'channel.chosen', connectionId: nid })),
    press('pipe:channel_change', () => ({ type: 'channel.reopened' })),
    press('pipe:connect:telegram', () => ({
      type: 'messenger.added',
      platform: 'telegram' as MessengerName,
    })),
    press('pipe:connect:max', () => ({ type: 'messenger.added', platform: 'max' as MessengerName })),
    press('pipe:connect:vk', () => ({ type: 'vk.added' })),
    press('pipe:connect:pinterest', () => ({ type: 'pinterest.added' })),
    press('fsm:retry', () => ({ type: 'retried' })),
    press('fsm:cancel', () => ({ type: 'cancelled' })),
  ],
} satisfies FlowScreens<typeof socialPipelineMachine, SocialData>;

/** What a person who leaves is told (E49). */
function kept(): RichText {
  return rich`Прогресс сохранится 24 часа: продолжить можно из главного меню или кнопкой «Опубликовать пост».`;
}

const homeless = rich`Этот канал отключён от проекта. Подключите его снова, и пост выйдет там. Или верните токены.`;

/** Where the person goes on when this run is over and there is no post. */
const again = ({ categoryId, connectionId }: Context) =>
  categoryId === null || connectionId === null
    ? to('nav:dashboard')
    : to('pipeline:social:again:{cid}:{nid}', { cid: categoryId, nid: connectionId });

/** None while the engine proves that the screen can be drawn. */
const choicesIn = (data: SocialData | undefined): Choices => (data && 'choices' in data ? data.choices : []);
const channelsIn = (data: SocialData | undefined): ChannelChoices =>
  data && 'channels' in data ? data : { channels: [], offered: [] };
const postIn = (data: SocialData | undefined): PostData | undefined =>
  data && 'post' in data ? data : undefined;

/** The first screen behind Telegram's chooser of channels brings the usual keys back. */
function withKeys(screen: Screen, { keys, isAdmin, leaving }: Context): Screen {
  if (keys !== 'returning' || leaving || screen.complaint) return screen;
  const replyKeyboard = replyLabels
    .map((row) => row.filter(({ adminOnly }) => isAdmin || !adminOnly).map(({ label }) => label))
    .filter((row) => row.length > 0);
  return { ...screen, keys: { text: notices.keysBack, replyKeyboard } };
}

function channelScreen(context: Context, { channels, offered }: ChannelChoices): Screen {
  const { counts, failure, gone, page } = context;
  const shown = paginate(channels, page);
  const isFirst = counts.channels === 0;
  const additions = offered.map((platform, at) =>
    button(
      `${isFirst ? '' : '+ '}${platformTitle(platform)}`,
      to(`pipe:connect:${platform}`),
      isFirst && at === 0 ? 'primary' : undefined,
    ),
  );
  return {
    text: paragraphs(
      gone && goneNotices[gone],
      failure && rich`Не удалось подключиться. ${trouble(failure)}`,
      head(2, 'канал', context),
      isFirst
        ? rich`Куда публикуем? Подключите канал, группу или доску: это займёт минуту и нужно один раз.`
        : rich`Куда публикуем? Выберите канал или подключите ещё один.`,
    ),
    keyboard: [
      ...shown.items.map(({ id, platform, name, isBroken }) => [
        button(
          `${isBroken ? '⚠ ' : ''}${platformTitle(platform)}: ${name}`,
          to('pipe:channel:{nid}', { nid: id }),
        ),
      ]),
      ...pagerRows(shown, (n) => to('pipe:page:{n}', { n })),
      ...inPairs(additions),
      [button('Другой проект', to('pipe:project_change')), cancel],
    ],
  };
}

const inPairs = (buttons: readonly Button[]): Keyboard =>
  buttons.flatMap((_, at) => (at % 2 === 0 ? [buttons.slice(at, at + 2)] : []));

/** The price, with ways to another topic, channel and project: a returning person sees this first. */
function costScreen(context: Context): Screen {
  if (context.leaving) return exitScreen('стоимость');
  const screen = post.confirm_cost(context);
  return { ...screen, text: paragraphs(head(5, 'стоимость', context), screen.text) };
}

function reviewWords({ post: { offer }, failure }: Context): [RichText, RichText] {
  return failure
    ? [rich`Пост по фразе «${offer!.phrase}» пока не вышел.`, trouble(failure)]
    : [rich`<b>Пост готов</b> · ${offer!.place}`, rich`Посмотрите и решите, публиковать ли его.`];
}

/** A person who went away while a channel was looked at finds it where they left it. */
function connectionBehind() {
  const waits = ({ failure }: Context) =>
    endedBehind(rich`Подключение канала осталось незаконченным.`, failure && trouble(failure));
  const done = ({ channelName }: Context) =>
    endedBehind(
      rich`<b>Готово</b>${channelName !== null && `, подключено: ${channelName}`}`,
      rich`Можно продолжать пост.`,
    );
  return {
    ...{ select_connection: waits, connect_tg_channel: waits, connect_tg_token: waits },
    ...{ connect_vk_token: waits, connect_vk_group: waits, connect_pinterest_board: waits },
    ...{ select_category: done, create_category_name: done },
  };
}
