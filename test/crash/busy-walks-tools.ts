import { addCategory } from '../support/accounts.ts';
import { PASSWORD } from '../support/played-bot.ts';
import { workbookOf } from '../support/workbook-of.ts';
import type { BusyGround } from './busy-ground.ts';
import { type BusyWalk, isOffered, PATIENT } from './busy-walk.ts';

const PHRASES = 'шторы блэкаут\nшторы в детскую\nшторы для кухни\nшторы на балкон';

/** Projects, sites and what a category is filled with. */
export const toolWalks: readonly BusyWalk[] = [
  {
    flow: 'ProjectCreate',
    states: ['reading_site', 'saving'],
    async *walk({ bot }) {
      const anna = bot.person();
      anna.says('/start');
      await anna.presses('Проекты');
      await anna.presses('Создать проект');
      await anna.sees('Новый проект (1/4)');
      yield anna;
      anna.says('rimskie-shtory.ru');
      await anna.sees('Вот что я прочитал на rimskie-shtory.ru', PATIENT);
      yield anna;
      await anna.presses('Сохранить');
      await anna.sees('Проект Римские шторы создан.', PATIENT);
      yield anna;
    },
  },
  {
    flow: 'ProjectEdit',
    states: ['saving'],
    async *walk({ newcomer }) {
      const anna = await newcomer();
      await anna.forges(`project:${anna.projectId}:edit`);
      await anna.presses('E-mail');
      await anna.sees('Отправьте новое значение.');
      yield anna;
      anna.says('anna@shtory.example');
      await anna.sees('Поле «E-mail» сохранено.', PATIENT);
      yield anna;
    },
  },
  {
    flow: 'CategoryCreate',
    states: ['saving'],
    async *walk({ newcomer }) {
      const anna = await newcomer();
      await anna.forges(`project:${anna.projectId}:cat_new`);
      await anna.sees('Новая категория');
      yield anna;
      anna.says('Римские шторы');
      await anna.sees('Категория Римские шторы создана.', PATIENT);
      yield anna;
    },
  },
  {
    flow: 'ConnectWordPress',
    states: ['checking_url', 'validate_connection'],
    async *walk(ground) {
      const { anna, site } = await askedForSite(ground);
      yield anna;
      anna.says(site.address);
      await anna.sees('(2/3)', PATIENT);
      yield anna;
      anna.says('admin');
      await anna.sees('(3/3)');
      anna.says(PASSWORD);
      await anna.sees(`${site.identifier} подключён к проекту «Кухни».`, PATIENT);
      yield anna;
    },
  },
  {
    flow: 'ConnectWordPress',
    states: ['taking_grant'],
    async *walk(ground) {
      const { anna, site } = await askedForSite(ground);
      yield anna;
      anna.says(site.address);
      await anna.sees('(2/3)', PATIENT);
      yield anna;
      await ground.grants(anna);
      await anna.sees('подключён к проекту', PATIENT);
      yield anna;
    },
  },
  {
    flow: 'KeywordGeneration',
    states: ['fetching', 'clustering', 'enriching'],
    async *walk(ground) {
      const anna = await inCategory(ground, 'Фразы', 'Фраз пока нет');
      for (const [label, next] of [
        ['Подобрать', '(1/3)'],
        ['Взять «Шторы»', '(2/3)'],
        ['Москва', '(3/3)'],
        ['50', 'не больше 50 токенов'],
      ] as const) {
        await anna.presses(label);
        await anna.sees(next);
      }
      yield anna;
      await anna.presses('Подобрать');
      await anna.sees(/^Готово: \d+ кластер/, PATIENT);
      yield anna;
    },
  },
  {
    flow: 'KeywordUpload',
    states: ['enriching', 'clustering'],
    async *walk(ground) {
      const anna = await inCategory(ground, 'Фразы', 'Фраз пока нет');
      await anna.presses('Загрузить файл');
      await anna.sees('Это бесплатно');
      yield anna;
      anna.uploads('фразы.txt', PHRASES, 'text/plain');
      await anna.sees(/^Готово: .*\(4 фразы\)/, PATIENT);
      yield anna;
    },
  },
  {
    flow: 'PriceInput',
    states: ['reading_text'],
    async *walk(ground) {
      const anna = await inCategory(ground, 'Цены', 'Цен пока нет');
      await anna.presses('Текстом');
      await anna.sees('каждый товар с новой строки');
      yield anna;
      anna.says('Диван — 45 000 ₽');
      await anna.sees(/^Цены сохранены: 1 позиция/, PATIENT);
      yield anna;
    },
  },
  {
    flow: 'PriceInput',
    states: ['reading_file'],
    async *walk(ground) {
      const anna = await inCategory(ground, 'Цены', 'Цен пока нет');
      await anna.presses('Excel');
      await anna.sees('колонка A — название');
      yield anna;
      anna.uploads('прайс.xlsx', await workbookOf(['Диван', 45_000]));
      await anna.sees(/^Цены сохранены: 1 позиция/, PATIENT);
      yield anna;
    },
  },
  {
    flow: 'ReviewGeneration',
    states: ['generating', 'regenerating', 'saving'],
    async *walk(ground) {
      const anna = await inCategory(ground, 'Отзывы', 'Пока пусто');
      await anna.presses('Сгенерировать образцы');
      await anna.presses('3');
      await anna.sees('Стоимость');
      yield anna;
      await anna.presses('Сгенерировать');
      await anna.sees(/★.*Списано: 30 токенов/s, PATIENT);
      yield anna;
      await anna.presses('Ещё вариант (0/2)');
      await isOffered(anna, 'Ещё вариант (1/2)');
      yield anna;
      await anna.presses('Сохранить');
      await anna.sees(/^Сохранено: 3 образца/, PATIENT);
      yield anna;
    },
  },
  {
    flow: 'DescriptionGenerate',
    states: ['generating', 'regenerating', 'saving'],
    async *walk(ground) {
      const anna = await inCategory(ground, 'Описание', 'Пока пусто');
      await anna.presses('Сгенерировать (20)');
      await anna.sees('Стоимость');
      yield anna;
      await anna.presses('Сгенерировать');
      await anna.sees('Списано: 20 токенов', PATIENT);
      yield anna;
      await anna.presses('Ещё вариант (0/2)');
      await isOffered(anna, 'Ещё вариант (1/2)');
      yield anna;
      await anna.presses('Сохранить');
      await anna.sees(/^Описание сохранено/, PATIENT);
      yield anna;
    },
  },
  {
    flow: 'CompetitorAnalysis',
    states: ['url_checking', 'analyzing', 'results_adding'],
    async *walk({ bot, newcomer }) {
      const anna = await newcomer();
      await addCategory(bot, anna.projectId, 'Кухни на заказ');
      await anna.forges(`project:${anna.projectId}:competitor`);
      await anna.sees('Пришлите адрес');
      yield anna;
      anna.says(`rival-${anna.id}.example`);
      await anna.sees('Стоимость: 50', PATIENT);
      yield anna;
      await anna.presses('Анализировать');
      await anna.sees(/Что сделать вам.*Списано 50 токенов/s, PATIENT);
      yield anna;
      await anna.presses(/во фразы «Кухни на заказ»/);
      // Added by the process that died, they are there already: no harm, and said so.
      await anna.sees(
        /✓ (Во фразы категории .* добавлено: \d+ тем|В категории .* эти темы уже есть)/,
        PATIENT,
      );
      yield anna;
    },
  },
  {
    flow: 'SiteAudit',
    states: ['auditing'],
    async *walk({ sql, newcomer }) {
      const anna = await newcomer();
      const site = `https://audit-${anna.id}.example`;
      await sql`update projects set website_url = ${site} where id = ${anna.projectId}`;
      await anna.forges(`project:${anna.projectId}:audit`);
      await anna.presses(/Запустить/);
      await anna.sees('Стоимость: 50 токенов');
      yield anna;
      await anna.presses('Проверить');
      await anna.sees(/^Готово\. Списано 50 токенов/, PATIENT);
      yield anna;
    },
  },
  {
    flow: 'ScheduleSetup',
    states: ['saving'],
    async *walk({ customer }) {
      const anna = await customer();
      for (const label of ['Проекты', 'Кухни', 'Расписание', 'Кухни на заказ']) await anna.presses(label);
      await anna.presses(/WordPress/);
      await anna.sees('Расписания пока нет.');
      for (const [label, next] of [
        ['Выбрать дни и часы', 'По каким дням публиковать?'],
        ['Ср', '✓ Ср'],
        ['Готово', 'Сколько публикаций в день?'],
        ['1', 'Во сколько?'],
        ['10:00', 'Готово (1/1)'],
      ] as const) {
        await anna.presses(label);
        await (/✓|\(/u.test(next) ? isOffered(anna, next) : anna.sees(next));
      }
      yield anna;
      await anna.presses('Готово (1/1)');
      await anna.sees(/Расписание включено.*Ср в 10:00/s, PATIENT);
      yield anna;
    },
  },
  {
    flow: 'AIChat',
    states: ['starting', 'answering', 'reviewing', 'leaving'],
    async *walk({ newcomer }) {
      const anna = await newcomer();
      anna.says('/fbpeer');
      await anna.sees('Ваша цель');
      yield anna;
      await anna.presses('Начать диалог');
      await anna.sees(/^Марина\nПривет!.*Ход 1 из 5/s, PATIENT);
      yield anna;
      anna.says('Вчера на показе ты трижды перебила меня, когда речь шла о сроках.');
      await anna.sees(/✓ Поведение.*Ход 2 из 5/s, PATIENT);
      yield anna;
      await anna.presses('Получить анализ');
      await anna.sees('Анализ · Обратная связь коллеге', PATIENT);
      yield anna;
      await anna.presses('Главное меню');
      await anna.sees('Главное меню', PATIENT);
      yield anna;
    },
  },
];

async function inCategory({ bot, newcomer }: BusyGround, tool: string, empty: string) {
  const anna = await newcomer();
  const categoryId = await addCategory(bot, anna.projectId, 'Шторы');
  await anna.forges(`category:${categoryId}:card`);
  await anna.presses(tool);
  await anna.sees(empty);
  return anna;
}

async function askedForSite({ newcomer, nextSite }: BusyGround) {
  const site = nextSite();
  const anna = await newcomer();
  await anna.forges(`project:${anna.projectId}:conn_add:wordpress`);
  await anna.sees('(1/3)');
  return { anna, site };
}
