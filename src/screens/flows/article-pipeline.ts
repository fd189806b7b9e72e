import type { ContextFrom } from 'xstate';
import { type articlePipelineMachine, automaticPhrases } from '../../../machines/article-pipeline.ts';
import { tokens } from '../../russian.ts';
import {
  type ArticleData,
  articleBehind,
  articlePresses,
  articleRemains,
  articleScreens,
  failedNotice,
  publishedEnd,
} from '../fragments/article-work.ts';
import { categoryScreens } from '../fragments/category-question.ts';
import { keywordPresses, keywordQuestionScreens } from '../fragments/keyword-questions.ts';
import { foundNotice, searchGoesOn, searchingScreen } from '../fragments/keyword-work.ts';
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
import { projectQuestionScreens } from '../fragments/project-questions.ts';
import { wordPressPresses, wordPressScreens } from '../fragments/wordpress-questions.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { refusal, trouble } from '../kit/money.ts';
import { pagerRows, paginate } from '../kit/pager.ts';
import { savingFailed, workingOnIt } from '../kit/save-step.ts';
import { button, type Keyboard, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';
import { draftNotices } from '../pages/publishing.ts';

type PipelineData = ArticleData | { choices: Choices };
type Context = ContextFrom<typeof articlePipelineMachine>;

const cancel = button('Отмена', to('fsm:cancel'));
const head = pipelineHead('Статья');
const project = projectQuestionScreens([cancel]);
const wordpress = wordPressScreens([[cancel]]);
const category = categoryScreens([cancel], (slice) => head(3, 'тема', slice));
const phrases = keywordQuestionScreens({ ways: [[button('К чеклисту', to('fsm:cancel'))]] });

export const flow = {
  title: 'создание статьи',
  titleOf: 'создания статьи',
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
    saving_project: ({ answers }) => workingOnIt(rich`Создаю проект «${answers.name}»…`),
    project_unsaved: ({ failure }) =>
      savingFailed(rich`Проект пока не создан, ответы сохранены в диалоге.`, failure, [cancel]),

    select_wp: (context, data) => siteScreen(context, choicesIn(data)),
    connect_wp_url: wordpress.url,
    checking_wp: wordpress.checking,
    connect_wp_duplicate: wordpress.duplicate,
    connect_wp_login: wordpress.login,
    taking_wp_grant: wordpress.granting,
    connect_wp_password: wordpress.password,
    validating_wp: wordpress.validating,

    select_category: (context, data) => topicChoiceScreen(head(3, 'тема', context), context, choicesIn(data)),
    create_category_name: category.name,
    saving_category: category.saving,
    category_unsaved: category.saveFailed,

    readiness_check: (context) => checklistScreen(context),
    readiness_keywords_products: phrases.products,
    readiness_keywords_geo: phrases.geography,
    readiness_keywords_qty: phrases.quantity,
    readiness_keywords_generating: (context) => searchingScreen(context),

    ...articleScreens,
    confirm_cost: (context) => costScreen(context),
    confirm_version: (context, data) =>
      articleScreens.confirm_version(context, data && 'balance' in data ? data : undefined),

    published: ({ published }) => publishedEnd(published!),
    failed: (context) => ({ open: again(context), notice: failedNotice(context.failure) }),
    expired: (context) => ({
      open: again(context),
      notice: rich`Предпросмотр устарел: черновик хранится 24 часа. Токены за него уже вернулись на баланс.`,
    }),
    cancelled: ({ returned }) => ({
      open: to('nav:dashboard'),
      notice: draftNotices.cancelled(returned),
    }),
    left: () => ({ open: to('nav:dashboard'), notice: leftNotice }),
  },
  behind: {
    ...articleBehind,
    readiness_check: (context) => phrasesBehind(context),
  },
  remains: {
    ...articleRemains,
    readiness_keywords_generating: searchGoesOn,
    ...{ select_wp: kept, select_category: kept, readiness_check: kept, confirm_cost: kept },
    ...{ connect_wp_url: kept, connect_wp_login: kept, create_category_name: kept, preview: kept },
  },
  presses: [
    ...pipelinePresses,
    ...wordPressPresses,
    ...keywordPresses,
    ...articlePresses,
    press('pc:skip', () => ({ type: 'website.skipped' })),
    press('pipe:site:{nid}', ({ nid }) => ({ type: 'site.chosen', connectionId: nid })),
    press('pipe:site_new', () => ({ type: 'site.added' })),
    press('pipe:preview_only', () => ({ type: 'preview.chosen' })),
    press('pipe:site_change', () => ({ type: 'site.reopened' })),
    press('fsm:cancel', () => ({ type: 'cancelled' })),
  ],
} satisfies FlowScreens<typeof articlePipelineMachine, PipelineData>;

/** What a person who leaves is told (E49). */
function kept(): RichText {
  return rich`Прогресс сохранится 24 часа: продолжить можно из главного меню или кнопкой «Написать статью».`;
}

/** Where the person goes on when this run is over and there is no article. */
const again = ({ categoryId, connectionId }: Context) =>
  categoryId === null
    ? to('nav:dashboard')
    : to('pipeline:article:again:{cid}:{nid}', { cid: categoryId, nid: connectionId ?? 0 });

/** None while the engine proves that the screen can be drawn. */
const choicesIn = (data: PipelineData | undefined): Choices =>
  data && 'choices' in data ? data.choices : [];

function siteScreen(context: Context, data: Choices): Screen {
  const { counts, failure, gone, page } = context;
  const sites = paginate(data, page);
  const connect = button(
    'Подключить WordPress',
    to('pipe:site_new'),
    counts.sites === 0 ? 'primary' : undefined,
  );
  return {
    text: paragraphs(
      gone && goneNotices[gone],
      failure && rich`Не удалось подключиться. ${trouble(failure)}`,
      head(2, 'сайт', context),
      counts.sites === 0
        ? rich`Чтобы опубликовать статью, нужен сайт на WordPress. Подключите его сейчас или сначала посмотрите, какой статья получится.`
        : rich`Куда публикуем?`,
    ),
    keyboard: [
      ...sites.items.map(({ id, name, isBroken }) => [
        button(`${isBroken ? '⚠ ' : ''}${name}`, to('pipe:site:{nid}', { nid: id })),
      ]),
      ...pagerRows(sites, (n) => to('pipe:page:{n}', { n })),
      [connect],
      [button('Только предпросмотр', to('pipe:preview_only'))],
      [button('Другой проект', to('pipe:project_change')), cancel],
    ],
  };
}

function checklistScreen(context: Context): Screen {
  const { readiness, keywords, failure, offer, leaving, gone } = context;
  if (leaving) return exitScreen('чеклист');
  const { found } = keywords;
  const hasPhrases = offer !== null;
  const price = automaticPhrases * (keywords.offer?.pricePerPhrase ?? 0);
  return {
    text: paragraphs(
      gone && goneNotices[gone],
      failure && (failure.refunded > 0 ? trouble(failure) : refusal(failure)),
      found && !failure && foundNotice(found, context.isAdmin),
      head(4, 'готовность', context),
      lines(
        hasPhrases
          ? rich`✓ Фразы: есть, о чём писать`
          : readiness && readiness.phrases > 0
            ? rich`✗ Все фразы — для страниц товаров, статью по ним не написать. Нужны информационные: «как выбрать», «чем отличается».`
            : rich`✗ Фразы: статья пишется по тому, что ищут люди. Без них не начать.`,
        readiness?.hasDescription
          ? rich`✓ Описание темы`
          : rich`· Описание темы: с ним тексты точнее, но можно и без него.`,
      ),
      !hasPhrases &&
        rich`Подберу ${automaticPhrases} фраз за ${tokens(price)}: если найдётся меньше, остаток вернётся. На балансе ${tokens(keywords.offer?.balance ?? 0)}.`,
    ),
    keyboard: [
      ...(hasPhrases
        ? [[button('Дальше', to('pipe:ready'), 'success')]]
        : [
            ...(failure?.code === 'OUT_OF_TOKENS' ? [[button('Пополнить', to('nav:tariffs'))]] : []),
            ...(failure?.retryable && keywords.quantity !== null
              ? [[button('Повторить подбор', to('pipe:phrases:again'))]]
              : []),
            [button(`Подобрать фразы (${price})`, to('pipe:phrases:auto'), 'success')],
            [button('Настроить подбор', to('pipe:phrases:own'))],
          ]),
      [button('Другая тема', to('pipe:topic_change')), cancel],
    ],
  };
}

/** The price, with ways to another topic and project: a returning person sees this first. */
function costScreen(context: Context): Screen {
  if (context.leaving) return exitScreen('стоимость');
  const screen = articleScreens.confirm_cost(context);
  const own: Keyboard = screen.keyboard.slice(0, -1);
  return {
    text: paragraphs(head(5, 'стоимость', context), screen.text),
    keyboard: [
      ...own,
      [button('Другая тема', to('pipe:topic_change')), button('Другой проект', to('pipe:project_change'))],
      [button('К чеклисту', to('pipe:checklist')), cancel],
    ],
  };
}

/** The phrases came, or did not, after the person had left. */
function phrasesBehind({ keywords: { found }, failure, isAdmin, categoryName, categoryId }: Context): Screen {
  return {
    text: paragraphs(
      found && !failure
        ? rich`<b>Фразы для «${categoryName}» подобраны.</b>`
        : rich`Подобрать фразы для «${categoryName}» не получилось.`,
      failure ? trouble(failure) : found && foundNotice(found, isAdmin),
    ),
    keyboard: [
      [button('К категории', to('category:{cid}:card', { cid: categoryId! }), 'primary')],
      [menuButton],
    ],
  };
}
