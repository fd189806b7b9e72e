import type { FlowId } from '../../machines/registry.ts';
import { aPoster, atThePostPrice } from '../e2e/played-walk-post.ts';
import { THE_POST } from '../e2e/played-walk-post-work.ts';
import { aCluster } from '../support/article-customer.ts';
import type { ScriptedPerson } from '../support/person.ts';
import { atThePreview, type Customer, PASSWORD, PHRASE } from '../support/played-bot.ts';
import { aChannelConnection } from '../support/waiting-post.ts';
import type { BusyGround } from './busy-ground.ts';
import { type BusyWalk, begins, isOffered, PATIENT, type Walker } from './busy-walk.ts';

const THE_PREVIEW = 'Черновик хранится 24 часа, потом';
const PATIENT_FOR_BUTTONS = { ...PATIENT, pressable: true };
const [ARTICLE, POST] = ['Написать статью', 'Опубликовать пост'];

/** Articles by the card of a category. */
const articles: readonly BusyWalk[] = [
  {
    flow: 'ArticlePublish',
    states: [
      ...['saving_own_knowledge', 'saving_own_avoid', 'listing_phrases', 'generating', 'regenerating'],
      'publishing',
    ],
    async *walk(ground) {
      const anna = await reader(ground);
      yield anna;
      await anna.forges(`category:${anna.categoryId}:conn:${anna.connectionId}:publish`);
      await anna.sees('Фраза: «кухни на заказ»');
      yield* fromThePrice(anna);
    },
  },
  {
    flow: 'ArticlePublish',
    states: ['cancelling'],
    async *walk(ground) {
      const anna = await reader(ground);
      yield anna;
      await atThePreview(anna);
      yield anna;
      yield* cancels(anna, /^Статья отменена, черновик удалён\. Вернулось/);
    },
  },
  {
    flow: 'ArticlePublish',
    states: ['taking_html', 'saving_draft'],
    async *walk(ground) {
      const anna = await reader(ground);
      yield anna;
      await atThePreview(anna);
      yield* takesIt(anna);
    },
  },
  {
    flow: 'ArticleRefresh',
    states: ['proposing', 'applying'],
    async *walk(ground) {
      const anna = await withArticle(ground);
      yield anna;
      await proposes(anna);
      yield anna;
      await anna.presses('Обновить на сайте');
      await anna.sees('Статья обновлена на том же адресе', PATIENT);
      yield anna;
    },
  },
  {
    flow: 'ArticleRefresh',
    states: ['declining'],
    async *walk(ground) {
      const anna = await withArticle(ground);
      yield anna;
      await proposes(anna);
      yield anna;
      await anna.presses('Оставить как есть');
      await anna.sees(/^Статья осталась прежней\. Вернулось \d+ токенов/, PATIENT);
      yield anna;
    },
  },
];

const posts: readonly BusyWalk[] = [
  {
    flow: 'SocialPostPublish',
    states: ['generating', 'regenerating', 'saving_text', 'publishing'],
    async *walk(ground) {
      const anna = await poster(ground);
      yield anna;
      await atThePostPrice(anna);
      yield anna;
      yield* fromThePostPrice(anna);
    },
  },
  {
    flow: 'SocialPostPublish',
    states: ['confirming'],
    async *walk(ground) {
      const anna = await poster(ground);
      yield anna;
      await atThePostPrice(anna);
      yield* losesTheAnswer(ground, anna);
    },
  },
  {
    flow: 'SocialPostPublish',
    states: ['cancelling'],
    async *walk(ground) {
      const anna = await poster(ground);
      yield anna;
      await atThePostPrice(anna);
      await writesPost(anna);
      yield anna;
      yield* cancels(anna, /^Пост отменён\. Вернулось 10 токенов/);
    },
  },
];

const articlePipeline: readonly BusyWalk[] = [
  {
    flow: 'ArticlePipeline',
    states: [
      ...['taking_stock', 'saving_own_knowledge', 'saving_own_avoid', 'listing_phrases', 'generating'],
      ...['regenerating', 'publishing'],
    ],
    async *walk(ground) {
      const anna = await reader(ground);
      yield anna;
      await begins(anna, ARTICLE);
      await anna.sees('Статья (5/5) — стоимость', PATIENT);
      yield* fromThePrice(anna);
    },
  },
  {
    flow: 'ArticlePipeline',
    states: ['cancelling'],
    async *walk(ground) {
      const anna = await reader(ground);
      yield anna;
      await begins(anna, ARTICLE);
      await anna.presses('Создать статью');
      await anna.sees(THE_PREVIEW, PATIENT_FOR_BUTTONS);
      yield anna;
      yield* cancels(anna, /^Статья отменена, черновик удалён\. Вернулось/);
    },
  },
  {
    flow: 'ArticlePipeline',
    states: ['taking_html', 'saving_draft'],
    async *walk(ground) {
      const anna = await reader(ground);
      yield anna;
      await begins(anna, ARTICLE);
      await anna.presses('Создать статью');
      await anna.sees(THE_PREVIEW, PATIENT_FOR_BUTTONS);
      yield* takesIt(anna);
    },
  },
  {
    flow: 'ArticlePipeline',
    states: ['checking_wp', 'validating_wp'],
    async *walk(ground) {
      const { anna, site } = await withoutSite(ground);
      yield anna;
      anna.says(site.address);
      await anna.sees('(2/3)', PATIENT);
      yield anna;
      anna.says('admin');
      await anna.sees('(3/3)');
      anna.says(PASSWORD);
      await anna.sees('Статья (5/5) — стоимость', PATIENT);
      yield anna;
    },
  },
  {
    flow: 'ArticlePipeline',
    states: ['taking_wp_grant'],
    async *walk(ground) {
      const { anna, site } = await withoutSite(ground);
      yield anna;
      anna.says(site.address);
      await anna.sees('(2/3)', PATIENT);
      yield anna;
      await ground.grants(anna);
      await anna.sees('Статья (5/5) — стоимость', PATIENT);
      yield anna;
    },
  },
  {
    flow: 'ArticlePipeline',
    states: ['saving_category', 'readiness_keywords_generating'],
    async *walk({ newcomer }) {
      const anna = await newcomer();
      await begins(anna, ARTICLE);
      await anna.presses('Только предпросмотр');
      await anna.sees('О чём будем писать');
      yield anna;
      yield* namesATopic(anna, 'Подобрать фразы (100)');
    },
  },
  {
    flow: 'ArticlePipeline',
    states: ['readiness_prices_reading'],
    async *walk({ sql, customer }) {
      const anna = await customer();
      // Two texts are out: prices are on the list.
      await sql`
        insert into publication_logs (user_id, project_id, category_id, platform_type, content_type, status, keyword)
        select ${anna.id}, ${anna.projectId}, ${anna.categoryId}, 'wordpress', 'article', 'success', 'кухни'
        from generate_series(1, 2)`;
      await begins(anna, ARTICLE);
      await anna.presses('Добавить цены');
      await anna.sees('Цен пока нет');
      yield anna;
      anna.says('Кухня — 120 000 ₽');
      await anna.sees(/^Цены сохранены: 1 позиция\..*готовность/s, PATIENT);
      yield anna;
    },
  },
];

const socialPipeline: readonly BusyWalk[] = [
  {
    flow: 'SocialPipeline',
    states: ['taking_stock', 'generating', 'regenerating', 'saving_text', 'publishing'],
    async *walk(ground) {
      const anna = await poster(ground);
      yield anna;
      await begins(anna, POST);
      await anna.sees('Пост (5/5) — стоимость', PATIENT);
      yield anna;
      yield* fromThePostPrice(anna);
    },
  },
  {
    flow: 'SocialPipeline',
    states: ['confirming'],
    async *walk(ground) {
      const anna = await poster(ground);
      yield anna;
      await begins(anna, POST);
      yield* losesTheAnswer(ground, anna);
    },
  },
  {
    flow: 'SocialPipeline',
    states: ['cancelling'],
    async *walk(ground) {
      const anna = await poster(ground);
      yield anna;
      await begins(anna, POST);
      await writesPost(anna);
      yield anna;
      yield* cancels(anna, /^Пост отменён\. Вернулось 10 токенов/);
    },
  },
  {
    flow: 'SocialPipeline',
    states: ['saving_category', 'readiness_keywords_generating'],
    async *walk({ sql, ...ground }) {
      const anna = await aPoster(ground);
      await sql`delete from categories where id = ${anna.categoryId}`;
      await begins(anna, POST);
      await anna.sees('О чём будем писать');
      yield anna;
      yield* namesATopic(anna, 'Подобрать фразы (50)');
    },
  },
  {
    flow: 'SocialPipeline',
    states: ['cross_post_planning', 'cross_post_adapting', 'cross_post_saving', 'cross_post_publishing'],
    async *walk(ground) {
      const { anna } = await crossPoster(ground);
      yield anna;
      await plansCrossPost(anna);
      yield anna;
      await adapts(anna);
      yield anna;
      anna.says('Кухни собираем за день.');
      await anna.sees(/^Кухни собираем за день\..*Так пост выйдет/s, PATIENT);
      yield anna;
      await anna.presses('Опубликовать в Telegram');
      await anna.sees(/: вышел — https:.*Пост опубликован/s, PATIENT);
      yield anna;
    },
  },
  {
    flow: 'SocialPipeline',
    states: ['cross_post_returning'],
    async *walk(ground) {
      const { anna } = await crossPoster(ground);
      yield anna;
      await plansCrossPost(anna);
      await adapts(anna);
      yield anna;
      await anna.presses('Пропустить');
      await anna.sees(/пропущен, токены вернулись.*Пост опубликован/s, PATIENT);
      yield anna;
    },
  },
  {
    flow: 'SocialPipeline',
    states: ['cross_post_refunding'],
    async *walk(ground) {
      const { anna, place } = await crossPoster(ground);
      const { telegram } = ground.bot;
      yield anna;
      await plansCrossPost(anna);
      await adapts(anna);
      yield anna;
      telegram.channels.stand(place, telegram.bot.id, { status: 'administrator', mayPost: false });
      await anna.presses('Опубликовать в Telegram');
      await anna.sees(/^Не вышло: Telegram.*Вернулось 10 токенов.*Исходный пост на месте/s, PATIENT);
      yield anna;
    },
  },
  {
    flow: 'SocialPipeline',
    states: ['cross_post_confirming'],
    async *walk(ground) {
      const { anna, place } = await crossPoster(ground);
      yield anna;
      await plansCrossPost(anna);
      await adapts(anna);
      ground.bot.telegram.faults.add({
        ...{ match: 'sendMessage', chat: String(place) },
        fault: { kind: 'reset-after' },
      });
      await anna.presses('Опубликовать в Telegram');
      await anna.sees(/^Ответ потерялся: пост мог выйти/, PATIENT);
      yield anna;
      await anna.presses('Он там');
      await anna.sees(/вышел.*Пост опубликован/s, PATIENT);
      yield anna;
    },
  },
];

/** What both pipelines ask for on their way: the project, the description, the phrases. */
const material = (
  [
    ['ArticlePipeline', ARTICLE, ({ customer }: BusyGround, options) => customer(options)],
    ['SocialPipeline', POST, (ground: BusyGround, options) => aPoster(ground, { images: 0, ...options })],
  ] satisfies [
    FlowId,
    string,
    (ground: BusyGround, options: { keywords?: unknown }) => Promise<ScriptedPerson>,
  ][]
).flatMap(([flow, goal, person]): BusyWalk[] => [
  {
    flow,
    states: ['create_project_reading', 'saving_project'],
    async *walk({ bot }) {
      const anna = bot.person();
      anna.says('/start');
      await anna.presses(goal);
      await anna.sees('Новый проект (1/4)');
      yield anna;
      anna.says('rimskie-shtory.ru');
      await anna.sees('Вот что я прочитал на rimskie-shtory.ru', PATIENT);
      yield anna;
      await anna.presses('Сохранить');
      await anna.sees(/(Статья|Пост) \(2\/5\)/, PATIENT);
      yield anna;
    },
  },
  {
    flow,
    states: [
      ...['readiness_description_generating', 'readiness_description_regenerating'],
      'readiness_description_saving',
    ],
    async *walk(ground) {
      const anna = await person(ground, {});
      await begins(anna, goal);
      await anna.presses('Добавить описание');
      await anna.sees('Стоимость: 20 токенов');
      yield anna;
      await anna.presses('Сгенерировать');
      await anna.sees('Списано: 20 токенов', PATIENT);
      yield anna;
      await anna.presses('Ещё вариант');
      await isOffered(anna, 'Ещё вариант (1/2)');
      yield anna;
      await anna.presses('Сохранить');
      await anna.sees('(5/5) — стоимость', PATIENT);
      yield anna;
    },
  },
  {
    flow,
    states: ['readiness_keywords_reading'],
    async *walk(ground) {
      const anna = await person(ground, { keywords: [] });
      await begins(anna, goal);
      await anna.presses('Загрузить свои');
      await anna.sees('одна фраза на строке');
      yield anna;
      anna.says('как выбрать кухню\nкухня своими руками\nчем отличается кухня из мдф');
      await anna.sees(/Готово: .*готовность/s, PATIENT);
      yield anna;
    },
  },
]);

export const textWalks: readonly BusyWalk[] = [
  ...articles,
  ...posts,
  ...articlePipeline,
  ...socialPipeline,
  ...material,
];

/** With two phrases and a description: nothing is missing before the price. */
async function reader({ sql, customer }: BusyGround): Promise<Customer & Walker> {
  const anna = await customer({ images: 0, keywords: [aCluster(PHRASE), aCluster('шкафы на заказ')] });
  await sql`update categories set description = 'Кухни по размерам' where id = ${anna.categoryId}`;
  return Object.assign(anna, { arrived: () => anna.site.posts.values().length });
}

async function poster(ground: BusyGround) {
  const anna = await aPoster(ground, { images: 0, description: 'Кухни по размерам' });
  return Object.assign(anna, { arrived: () => anna.arrivals().length });
}

async function* fromThePrice(anna: Walker): AsyncGenerator<Walker, void> {
  yield anna;
  await anna.presses('Добавить то, что знаете только вы');
  await anna.sees('Что знаете только вы?');
  anna.says('Стены уходят на пять миллиметров');
  await anna.sees('О чём не писать?', PATIENT);
  yield anna;
  anna.says('О пластике');
  await anna.sees(/Расскажем от вас: Стены.*Не пишем о: О пластике/s, PATIENT);
  yield anna;
  await anna.presses('Другая фраза');
  await anna.sees('О чём написать?', PATIENT);
  yield anna;
  await anna.presses(/шкафы на заказ/);
  await anna.sees('Фраза: «шкафы на заказ»');
  await anna.presses('Создать статью');
  await anna.sees(THE_PREVIEW, PATIENT_FOR_BUTTONS);
  yield anna;
  await anna.presses(/^Перегенерировать/);
  await isOffered(anna, 'Перегенерировать (1/2)');
  yield anna;
  await anna.presses('Опубликовать');
  await anna.sees('Статья опубликована', PATIENT);
  yield anna;
}

async function* fromThePostPrice(anna: Walker): AsyncGenerator<Walker, void> {
  await writesPost(anna);
  yield anna;
  await anna.presses('Перегенерировать (0/2)');
  await isOffered(anna, 'Перегенерировать (1/2)');
  yield anna;
  await anna.presses('Вписать свой текст');
  await anna.sees('текст');
  anna.says('Замер сразу: kuhni.ru');
  await anna.sees(/^Замер сразу: kuhni.ru/, PATIENT);
  yield anna;
  await anna.presses('Опубликовать');
  await anna.sees(/^Пост опубликован/, PATIENT);
  yield anna;
}

async function writesPost(anna: Walker): Promise<void> {
  await anna.presses('Создать пост');
  await anna.sees(THE_POST, PATIENT);
}

async function* losesTheAnswer(
  { bot }: BusyGround,
  anna: Walker & { chat: string },
): AsyncGenerator<Walker, void> {
  await writesPost(anna);
  bot.telegram.faults.add({ match: 'sendMessage', chat: anna.chat, fault: { kind: 'reset-after' } });
  await anna.presses('Опубликовать');
  await anna.sees(/^Ответ потерялся: пост мог выйти/, PATIENT);
  yield anna;
  await anna.presses('Он там');
  await anna.sees(/^Пост опубликован/, PATIENT);
  yield anna;
}

async function* cancels(anna: Walker, words: RegExp): AsyncGenerator<Walker, void> {
  await anna.presses('Отмена — вернуть токены');
  await anna.sees(words, PATIENT);
  yield anna;
}

/** From a preview: the article as a file, and then as a draft on the site. */
async function* takesIt(anna: Walker): AsyncGenerator<Walker, void> {
  yield anna;
  await anna.presses('Скачать HTML');
  await anna.sees(/^Скачать HTML\?/);
  await anna.presses('Да, скачать');
  await anna.sees('— файлом в этом чате', PATIENT);
  yield anna;
  await anna.presses('К черновику');
  await anna.sees('HTML у вас');
  await anna.presses('Сохранить черновиком в WordPress');
  await anna.sees('Черновик сохранён на', PATIENT);
  yield anna;
}

async function withArticle(ground: BusyGround): Promise<Customer & Walker> {
  const anna = await reader(ground);
  await atThePreview(anna);
  await anna.presses('Опубликовать');
  await anna.sees('Статья опубликована', PATIENT);
  return anna;
}

async function proposes(anna: Walker): Promise<void> {
  await anna.presses('Обновить статью');
  await anna.sees('Посмотрю, что изменилось в поиске');
  await anna.presses('Предложить новый вариант');
  await anna.sees('Появилось в статье:', PATIENT);
}

/** Everything is there but the site, which is asked for. */
async function withoutSite(ground: BusyGround) {
  const anna = await reader(ground);
  await ground.sql`delete from platform_connections where id = ${anna.connectionId}`;
  await begins(anna, ARTICLE);
  await anna.presses('Подключить WordPress');
  await anna.sees('(1/3)');
  return { anna, site: { address: ground.wordpress.addressOf(anna.path) } };
}

async function* namesATopic(anna: Walker, seek: string): AsyncGenerator<Walker, void> {
  anna.says('Римские шторы');
  await anna.sees(/готовность.*Без них не начать/s, PATIENT);
  yield anna;
  await anna.presses(seek);
  await anna.sees('(2/3)');
  anna.says('Казань');
  await anna.sees(/Готово: .*✓ Фразы/s, PATIENT);
  yield anna;
}

/** On the result of a post, in a project with one more channel. */
async function crossPoster(ground: BusyGround) {
  const anna = await poster(ground);
  const username = `more_${anna.id}`;
  const { id: place } = ground.bot.telegram.channels.add({ title: 'Ещё', username });
  await aChannelConnection(ground.sql, anna, { id: place, username });
  await begins(anna, POST);
  await anna.presses(`Telegram: @${anna.username}`);
  await writesPost(anna);
  await anna.presses('Опубликовать');
  await anna.sees('Пост опубликован', PATIENT);
  const { arrivals } = ground.bot.telegram.channels;
  return { anna: Object.assign(anna, { arrived: () => arrivals(place).length }), place };
}

async function plansCrossPost(anna: Walker): Promise<void> {
  await anna.presses('Кросс-пост (10)');
  await anna.sees(/^Кросс-пост/, PATIENT);
}

async function adapts(anna: Walker): Promise<void> {
  await anna.presses(/^Адаптировать: 1/);
  await anna.sees(/Так пост выйдет: Telegram · @more_/, PATIENT);
}
