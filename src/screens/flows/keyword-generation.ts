import type { ContextFrom } from 'xstate';
import type { Failure } from '../../../machines/failure.ts';
import {
  type KeywordsFound,
  type keywordGenerationMachine,
  keywordQuantities,
} from '../../../machines/keyword-generation.ts';
import type { Misfit } from '../../../machines/misfit.ts';
import { number, plural, tokens } from '../../russian.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to, unpackLink } from '../kit/link.ts';
import { progressScreen, type Stages } from '../kit/progress.ts';
import {
  type Button,
  button,
  type Keyboard,
  lines,
  paragraphs,
  type RichText,
  rich,
  type Screen,
} from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';

type Context = ContextFrom<typeof keywordGenerationMachine>;

const stages: Stages = [
  ['fetching', 'Получаю реальные поисковые фразы из Google... (3 сек)'],
  ['clustering', 'Группирую фразы по поисковому интенту... (10 сек)'],
  ['enriching', 'Обогащаю данные: объём, сложность, CPC... (2 сек)'],
];

/** Where most companies want to be found. */
const places = [
  { code: 'msk', label: 'Москва', place: 'Москва' },
  { code: 'spb', label: 'СПб', place: 'Санкт-Петербург' },
  { code: 'ru', label: 'Россия', place: 'Россия' },
] as const;

/** Countries whose Russian searches are counted; there are no such numbers for Russia itself. */
const markets: Readonly<Record<number, string>> = { 2804: 'Украина', 2398: 'Казахстан' };

export const flow = {
  title: 'подбор фраз',
  titleOf: 'подбора фраз',
  states: {
    products: ({ categoryName, products, misfit }) =>
      question(1, {
        complaint: misfit && productComplaints[misfit],
        ask: rich`Какие товары или услуги ищут ваши клиенты? Перечислите через запятую.`,
        example: rich`букет невесты, бутоньерки, оформление арки`,
        kept: products,
        choices: [[button(`Взять «${categoryName}»`, to('kw:suggest'))]],
      }),
    geography: ({ city, geography, misfit }) =>
      question(2, {
        complaint: misfit && geographyComplaints[misfit],
        ask: rich`Где вы работаете? Город, область или страна.${city === null && ' Запомню ответ как город компании.'}`,
        example: rich`Казань и Татарстан`,
        kept: geography,
        choices: [
          ...(city === null || places.some(({ place }) => place === city)
            ? []
            : [[button(city, to('kw:geo:own'))]]),
          places.map(({ code, label }) => button(label, to(`kw:geo:${code}`))),
        ],
      }),
    quantity: ({ pricePerPhrase }) => ({
      text: paragraphs(
        step(3),
        lines(
          rich`Сколько фраз подобрать?`,
          rich`Фраза стоит ${tokens(pricePerPhrase)}. Если найдётся меньше, остаток вернётся.`,
        ),
      ),
      keyboard: [keywordQuantities.map((n) => button(String(n), to('kw:qty:{n}', { n }))), [cancel]],
    }),
    confirm: (context) => confirmScreen(context),
    fetching: (context) => progress('fetching', context),
    clustering: (context) => progress('clustering', context),
    enriching: (context) => progress('enriching', context),
    failed: ({ failure }) => ({
      text: paragraphs(rich`<b>Подобрать фразы не получилось.</b>`, failure && trouble(failure)),
      keyboard: [
        ...(failure?.retryable ? [[button('Повторить', to('kw:confirm'), 'primary')]] : []),
        [button('К категории', to('fsm:cancel'))],
      ],
    }),
    results: ({ categoryId, found, isAdmin }) => ({
      open: to('kw:{cid}:found', { cid: categoryId }),
      notice: outcome(found!, isAdmin),
    }),
    left: ({ categoryId }) => ({ open: to('category:{cid}:card', { cid: categoryId }) }),
    cancelled: ({ origin }) => ({ open: unpackLink(origin), notice: rich`Подбор фраз отменён.` }),
  },
  behind: {
    confirm: (context) =>
      unsuccessful(context, rich`Подбор фраз для категории «${context.categoryName}» не начался.`),
    failed: (context) =>
      unsuccessful(context, rich`Подобрать фразы для категории «${context.categoryName}» не получилось.`),
  },
  remains: { fetching: searchGoesOn, clustering: searchGoesOn, enriching: searchGoesOn },
  presses: [
    press('kw:suggest', () => ({ type: 'category.chosen' })),
    press('kw:keep', () => ({ type: 'answer.kept' })),
    press('kw:geo:own', () => ({ type: 'city.chosen' })),
    ...places.map(({ code, place }) => press(`kw:geo:${code}`, () => ({ type: 'place.chosen', place }))),
    press('kw:qty:{n}', ({ n }) => ({ type: 'quantity.chosen', quantity: n })),
    press('kw:change', () => ({ type: 'answers.reopened' })),
    press('kw:confirm', () => ({ type: 'cost.accepted' })),
    press('fsm:cancel', () => ({ type: 'cancelled' })),
  ],
} satisfies FlowScreens<typeof keywordGenerationMachine>;

const cancel = button('Отмена', to('fsm:cancel'));
const topUp = button('Пополнить', to('nav:tariffs'));

const step = (n: number): RichText => rich`<b>Подбор фраз (${n}/3)</b>`;

const productComplaints: Record<Misfit, RichText> = {
  'too-short': rich`Опишите товары/услуги подробнее`,
  'too-long': rich`Слишком длинно: уложитесь в 1000 символов, хватит самого главного.`,
  'wrong-format': rich`Перечислите товары или услуги словами.`,
};
const geographyComplaints: Record<Misfit, RichText> = {
  'too-short': rich`Укажите географию работы`,
  'too-long': rich`Слишком длинно: уложитесь в 200 символов.`,
  'wrong-format': rich`Укажите географию работы словами: город, область или страну.`,
};

type Question = {
  complaint: RichText | null;
  ask: RichText;
  example: RichText;
  /** What was answered before, when the person comes back to change it. */
  kept: string | null;
  choices: Keyboard;
};

function question(n: number, { complaint, ask, example, kept, choices }: Question): Screen {
  const keep: Button[][] = kept === null ? [] : [[button('Оставить как есть', to('kw:keep'))]];
  return {
    ...(complaint && { complaint }),
    text: paragraphs(
      step(n),
      lines(ask, rich`<i>Например: ${example}</i>`),
      kept !== null && rich`Сейчас: ${kept}`,
    ),
    keyboard: [...keep, ...choices, [cancel]],
  };
}

function confirmScreen(context: Context): Screen {
  const { products, geography, quantity, pricePerPhrase, balance, isAdmin, failure } = context;
  const cost = quantity! * pricePerPhrase;
  const lacking = isAdmin ? 0 : Math.max(0, cost - balance);
  return {
    text: paragraphs(
      failure && rich`⚠ ${failure.userMessage ?? 'Не получилось начать.'}`,
      rich`<b>Подбор фраз</b> · ${context.categoryName}`,
      lines(
        rich`Товары и услуги: ${products}`,
        rich`География: ${geography}`,
        rich`Количество: ${plural(quantity!, 'фраза', 'фразы', 'фраз')}`,
      ),
      lines(
        rich`Стоимость: не больше ${tokens(cost)}${isAdmin && ' · GOD_MODE, бесплатно'}`,
        rich`На балансе: ${tokens(balance)}${lacking > 0 && `, не хватает ${number(lacking)}`}`,
      ),
      rich`Новые фразы добавятся к тем, что уже есть, без повторов.`,
    ),
    keyboard: [
      ...(lacking > 0 || failure?.code === 'OUT_OF_TOKENS' ? [[topUp]] : []),
      [button('Подобрать', to('kw:confirm'), 'success')],
      [button('Изменить', to('kw:change'))],
      [cancel],
    ],
  };
}

function searchGoesOn({ categoryName, quantity, pricePerPhrase }: Context): RichText {
  return rich`Подбор фраз для категории «${categoryName}» продолжается: списано не больше ${tokens(quantity! * pricePerPhrase)}. Готовые фразы сохранятся в категории, и я напишу сюда; за ненайденные токены вернутся сами.`;
}

const progress = (stage: string, { categoryName, quantity, late }: Context): Screen =>
  progressScreen(
    rich`<b>Подбираю фразы</b> для категории «${categoryName}»: ${plural(quantity!, 'фраза', 'фразы', 'фраз')}. Обычно это до полутора минут.`,
    stages,
    { stage, late },
  );

function outcome(found: KeywordsFound, isAdmin: boolean): RichText {
  const { clusters, phrases, added, source, grouping, market, spent, returned } = found;
  const phraseCount = plural(phrases, 'фраза', 'фразы', 'фраз');
  return lines(
    clusters > 0
      ? rich`<b>Готово: ${plural(clusters, 'кластер', 'кластера', 'кластеров')} (${phraseCount}).</b>`
      : rich`<b>Готово: ${phraseCount}.</b>`,
    added < phrases && rich`Новых среди них: ${number(added)}, остальные в категории уже были.`,
    !isAdmin && rich`Списано ${tokens(spent)}${returned > 0 && `, вернулось ${number(returned)}`}.`,
    source === 'ai' &&
      rich`⚠ Данные без реальных объёмов поиска: сервис статистики не ответил, и фразы предложила нейросеть.`,
    grouping === 'words' && rich`Нейросеть не ответила, поэтому фразы собраны в кластеры по общим словам.`,
    market !== null && rich`Объёмы поиска: Google, ${markets[market] ?? 'другая страна'} (русский язык).`,
  );
}

const trouble = ({ userMessage, refunded }: Failure): RichText =>
  rich`${userMessage ?? 'Произошла ошибка. Попробуйте позже.'}${refunded > 0 && ` Вернулось ${tokens(refunded)}.`}`;

const unsuccessful = ({ categoryId: cid, failure }: Context, what: RichText): Screen => ({
  text: paragraphs(what, failure && trouble(failure)),
  keyboard: [
    [button('Подобрать заново', to('kw:{cid}:gen', { cid }))],
    [button('К категории', to('category:{cid}:card', { cid }))],
    [menuButton],
  ],
});
