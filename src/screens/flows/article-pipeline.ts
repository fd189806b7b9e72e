import type { ContextFrom } from 'xstate';
import { type articlePipelineMachine, automaticPhrases } from '../../../machines/article-pipeline.ts';
import { mostPictures } from '../../../machines/fragments/article-order.ts';
import { tokens } from '../../russian.ts';
import {
  type ArticleData,
  articleBehind,
  articleGoesOn,
  articlePresses,
  articleScreens,
  expiredNotice,
  failedNotice,
  publishedEnd,
} from '../fragments/article-work.ts';
import { categoryScreens } from '../fragments/category-question.ts';
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
import { priceScreens, pricesSavedNotice } from '../fragments/price-work.ts';
import { sitePresses, siteScreens } from '../fragments/project-from-site.ts';
import { projectQuestionScreens, type Reading } from '../fragments/project-questions.ts';
import {
  endedBehind,
  type Item,
  readinessBehind,
  readinessPresses,
  readinessRemains,
  readinessScreens,
} from '../fragments/readiness.ts';
import { wordPressPresses, wordPressScreens } from '../fragments/wordpress-questions.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { trouble } from '../kit/money.ts';
import { pagerRows, paginate } from '../kit/pager.ts';
import { savingFailed, workingOnIt } from '../kit/save-step.ts';
import { button, type Keyboard, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { draftNotices } from '../pages/publishing.ts';

type PipelineData = ArticleData | { choices: Choices } | Reading;
type Context = ContextFrom<typeof articlePipelineMachine>;

const cancel = button('Отмена', to('fsm:cancel'));
const head = pipelineHead('Статья');
const project = projectQuestionScreens([cancel]);
const site = siteScreens([cancel]);
const previewOnly = button('Только предпросмотр', to('pipe:preview_only'));
const wordpress = wordPressScreens([[previewOnly], [cancel]]);
const category = categoryScreens([cancel], (slice) => head(3, 'категория', slice));
const toChecklist: Keyboard = [[button('К чеклисту', to('fsm:cancel'))]];
const prices = priceScreens({ ways: toChecklist });
const readiness = readinessScreens<Context>({
  automatic: automaticPhrases,
  head: (context) => head(4, 'готовность', context),
  isReady: ({ offer }) => offer !== null,
  words: {
    ready: rich`Фразы: есть, о чём писать`,
    missing: rich`Фразы: статья пишется по тому, что ищут люди. Без них не начать.`,
    unsuitable: rich`Все фразы — для страниц товаров, статью по ним не написать. Нужны информационные: «как выбрать», «чем отличается».`,
  },
  done: ({ prices: { saved } }) => saved && pricesSavedNotice(saved),
  items: checklistItems,
  ways: [button('Другая категория', to('pipe:topic_change')), cancel],
});

export const flow = {
  title: 'создание статьи',
  titleGenitive: 'создания статьи',
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

    select_wp: (context, data) => siteScreen(context, choicesIn(data)),
    connect_wp_url: wordpress.url,
    checking_wp: wordpress.checking,
    connect_wp_duplicate: wordpress.duplicate,
    connect_wp_login: wordpress.login,
    taking_wp_grant: wordpress.granting,
    connect_wp_password: wordpress.password,
    validating_wp: wordpress.validating,

    select_category: (context, data) =>
      topicChoiceScreen(head(3, 'категория', context), context, choicesIn(data), to('pipe:site_change')),
    create_category_name: category.name,
    saving_category: category.saving,
    category_unsaved: category.saveFailed,

    ...readiness,
    readiness_prices: prices.either,
    readiness_prices_reading: prices.reading,
    configure_images: (context) => picturesScreen(context),

    ...articleScreens,
    confirm_cost: (context) => costScreen(context),
    preview: (context, data) => articleScreens.preview(context, articleIn(data)),
    confirm_version: (context, data) => articleScreens.confirm_version(context, articleIn(data)),
    html_taken: (context, data) => articleScreens.html_taken(context, articleIn(data)),
    reading_text: (context, data) => articleScreens.reading_text(context, articleIn(data)),

    published: ({ published }) => publishedEnd(published!),
    failed: (context) => ({ open: again(context), notice: failedNotice(context.failure) }),
    expired: (context) => ({
      open: again(context),
      notice: expiredNotice(context.preview),
    }),
    cancelled: ({ preview, returned }) => ({
      open: to('nav:dashboard'),
      notice: draftNotices.cancelled(returned, preview?.final !== undefined),
    }),
    left: () => ({ open: to('nav:dashboard'), notice: leftNotice }),
  },
  behind: {
    ...articleBehind,
    ...readinessBehind,
    readiness_prices: ({ categoryName, failure }) =>
      endedBehind(rich`Цены для «${categoryName}» не сохранились.`, failure && trouble(failure)),
  },
  remains: { ...articleGoesOn, ...readinessRemains },
  kept,
  presses: [
    ...pipelinePresses,
    ...sitePresses,
    ...wordPressPresses,
    ...readinessPresses,
    ...articlePresses,
    press('pipe:prices', () => ({ type: 'prices.opened' })),
    press('pipe:pictures', () => ({ type: 'pictures.opened' })),
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

const articleIn = (data: PipelineData | undefined): ArticleData | undefined =>
  data && ('choices' in data || 'readsSites' in data) ? undefined : data;

/** None while the engine proves that the screen can be drawn. */
const choicesIn = (data: PipelineData | undefined): Choices =>
  data && 'choices' in data ? data.choices : [];

function siteScreen(context: Context, data: Choices): Screen {
  const { counts, gone, page } = context;
  const sites = paginate(data, page);
  const connect = button(
    'Подключить WordPress',
    to('pipe:site_new'),
    counts.sites === 0 ? 'primary' : undefined,
  );
  return {
    text: paragraphs(
      gone && goneNotices[gone],
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
      [previewOnly],
      [button('Другой проект', to('pipe:project_change')), cancel],
    ],
  };
}

/** From the second publication on a person has seen what a text is like: now prices and pictures matter. */
const EXPERIENCED = 2;

function checklistItems({ readiness, offer, prices: { category } }: Context): Item[] {
  if (!readiness || readiness.publications < EXPERIENCED) return [];
  return [
    ...(readiness.hasPrices || category === null
      ? []
      : [
          {
            line: rich`· Цены: со своим прайсом статья называет настоящие суммы.`,
            key: button('Добавить цены', to('pipe:prices')),
          },
        ]),
    ...(offer === null
      ? []
      : [
          {
            line: rich`✓ Картинки: ${offer.images === 0 ? 'без них' : String(offer.images)}`,
            key: button(`Картинки: ${offer.images}`, to('pipe:pictures')),
          },
        ]),
  ];
}

const COUNTS_IN_ROW = 6;

function picturesScreen(context: Context): Screen {
  const { picturePrice, images, own = 0, ownPhotos = 0 } = context.offer!;
  const counts = Array.from({ length: mostPictures + 1 }, (_, n) =>
    button(n === images ? `• ${n}` : String(n), to('pub:article:pictures:{n}', { n })),
  );
  return {
    text: paragraphs(
      head(4, 'картинки', context),
      rich`Сколько картинок нарисовать для этой статьи? Каждая стоит ${tokens(picturePrice)}, сейчас ${images}.`,
      ownPhotos > 0 &&
        rich`Своих фото в категории: ${ownPhotos}${own > 0 && `, в статью пойдёт ${own}`}. По ним подбирается стиль.`,
    ),
    keyboard: [counts.slice(0, COUNTS_IN_ROW), counts.slice(COUNTS_IN_ROW), ...toChecklist],
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
      [
        button('Другая категория', to('pipe:topic_change')),
        button('Другой проект', to('pipe:project_change')),
      ],
      [button('К чеклисту', to('pipe:checklist')), cancel],
    ],
  };
}
