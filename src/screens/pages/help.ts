import { freeRegenerations } from '../../../machines/fragments/article-work.ts';
import { ofTokens, plural, tokens } from '../../russian.ts';
import { passwordSteps } from '../kit/application-password.ts';
import { to } from '../kit/link.ts';
import { button, lines, paragraphs, rich, type Screen } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';

export const helpTopics = ['connect', 'project', 'category', 'publish', 'cost'] as const;
export type HelpTopic = (typeof helpTopics)[number];

/** In tokens. */
export type HelpPrices = Readonly<
  Record<
    | 'textPer100Words'
    | 'image'
    | 'keyword'
    | 'description'
    | 'review'
    | 'crossPost'
    | 'audit'
    | 'competitorAnalysis',
    number
  >
>;

export function helpScreen(): Screen {
  const labels: Record<HelpTopic, string> = {
    connect: 'Подключение',
    project: 'Проект',
    category: 'Категории',
    publish: 'Публикация',
    cost: 'Стоимость',
  };
  return {
    text: paragraphs(
      rich`<b>Справка</b>`,
      lines(
        rich`/start — главное меню`,
        rich`/cancel — отменить то, что сейчас делаете`,
        rich`/help — эта справка`,
      ),
      rich`Выберите раздел: каждый — на один экран.`,
    ),
    keyboard: [
      ...helpTopics.map((topic) => [button(labels[topic], to('help:{topic}', { topic }))]),
      [button('Тренажёр', to('trainer:list'))],
      [button('Поддержка', to('settings:support'))],
      [menuButton],
    ],
  };
}

const toProjects = button('К проектам', to('nav:projects'), 'primary');
const back = [button('К справке', to('nav:help')), menuButton];

/** One screen of steps per topic; each ends with the action it is about. */
export const helpPages: Record<HelpTopic, (prices: HelpPrices) => Screen> = {
  connect: () => ({
    text: paragraphs(
      rich`<b>Подключение</b>`,
      rich`Статьи выходят на сайте WordPress, посты — в Telegram, VK, Pinterest и MAX. Всё подключается в проекте: «Подключения» → «+» и название площадки.`,
      rich`Telegram: нажмите «Выбрать канал», и бот станет его администратором. VK и MAX попросят ключ, Pinterest — войти на своём сайте.`,
      rich`WordPress:`,
      lines(
        rich`1. Пришлите адрес сайта: бот проверит, что там WordPress.`,
        rich`2. Подтвердите доступ прямо на сайте одной кнопкой. Если сайт так не умеет, пришлите логин и пароль приложения.`,
        rich`3. Сообщение с паролем бот удалит из чата сам. Отозвать доступ можно в профиле WordPress в любой момент.`,
      ),
      passwordSteps('ваш-сайт/wp-admin/profile.php'),
    ),
    keyboard: [[toProjects], back],
  }),
  project: () => ({
    text: paragraphs(
      rich`<b>Проект</b>`,
      rich`Проект — это один бизнес. У него свои категории, площадки и расписания.`,
      lines(
        rich`1. Нажмите «Проекты» → «Создать проект».`,
        rich`2. Есть сайт — начните с его адреса: если он читается, бот заполнит остальное сам и покажет, что понял. Нет сайта — назовите проект, компанию и чем она занимается.`,
        rich`3. Отвлекли? Ответы сохранятся на сутки: продолжите из главного меню.`,
        rich`4. В карточке проекта откройте «Данные» и заполните остальное: город, контакты, преимущества. Чем больше фактов, тем точнее тексты.`,
      ),
    ),
    keyboard: [[button('Создать проект', to('project:create'), 'success')], back],
  }),
  category: () => ({
    text: paragraphs(
      rich`<b>Категории</b>`,
      rich`Категория — одна тема внутри проекта: услуга, группа товаров или рубрика блога.`,
      lines(
        rich`1. Откройте проект → «Категории» → «Создать категорию».`,
        rich`2. Назовите тему так, как её назвал бы клиент: «Свадебные букеты», а не «Раздел 2».`,
        rich`3. Ненужную категорию можно удалить: бот перечислит, что исчезнет, и спросит ещё раз.`,
      ),
    ),
    keyboard: [[toProjects], back],
  }),
  publish: () => ({
    text: paragraphs(
      rich`<b>Публикация</b>`,
      rich`Статью пишет нейросеть, решаете вы: пока вы не нажмёте «Опубликовать» под предпросмотром, на сайте ничего не появится.`,
      lines(
        rich`1. Откройте проект → «Категории» → нужную категорию.`,
        rich`2. В разделе «Фразы» подберите ключевые фразы: по ним бот выбирает, о чём писать.`,
        rich`3. Нажмите «Написать статью». Бот назовёт стоимость и спросит, начинать ли.`,
        rich`4. Через минуту-другую придёт предпросмотр. Не понравилось — «Перегенерировать»: ${plural(freeRegenerations, 'раз', 'раза', 'раз')} бесплатно.`,
        rich`5. «Опубликовать» отправит статью на сайт, «Отмена — вернуть токены» вернёт списанное.`,
      ),
      rich`Пост — так же: «Опубликовать пост», выбрать канал, посмотреть, каким он выйдет. Чтобы бот публиковал сам, откройте в проекте «Расписание».`,
      rich`Черновик ждёт решения 24 часа. Не дождётся — токены вернутся сами.`,
    ),
    keyboard: [[toProjects], back],
  }),
  cost: (prices) => ({
    text: paragraphs(
      rich`<b>Стоимость</b>`,
      rich`Всё оплачивается токенами. Стоимость вы видите до начала работы, и больше неё бот не спишет.`,
      lines(
        rich`• Статья или пост: ${tokens(prices.textPer100Words)} за 100 слов и ${tokens(prices.image)} за картинку, ваши фото — бесплатно`,
        rich`• Тот же пост в ещё один канал: до ${ofTokens(prices.crossPost)}`,
        rich`• Ключевая фраза: ${tokens(prices.keyword)}, свой список — бесплатно`,
        rich`• Описание категории: ${tokens(prices.description)}, отзыв-образец: ${tokens(prices.review)}`,
        rich`• Аудит сайта: ${tokens(prices.audit)}, анализ конкурента: ${tokens(prices.competitorAnalysis)}`,
        rich`• Новый вариант: ${plural(freeRegenerations, 'раз', 'раза', 'раз')} бесплатно, дальше — по цене первого`,
        rich`• Проекты, категории и подключения: бесплатно`,
      ),
      rich`Работа не удалась — токены возвращаются сами. Вышло дешевле — вернётся разница.`,
    ),
    keyboard: [[toProjects], back],
  }),
};
