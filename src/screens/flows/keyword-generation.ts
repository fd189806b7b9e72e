import type { ContextFrom } from 'xstate';
import type { keywordGenerationMachine } from '../../../machines/keyword-generation.ts';
import { plural } from '../../russian.ts';
import { keywordPresses, keywordQuestionScreens } from '../fragments/keyword-questions.ts';
import { foundNotice, searchGoesOn, searchingScreen } from '../fragments/keyword-work.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to, unpackLink } from '../kit/link.ts';
import { lackingOf, priceLines, refusal, topUpIfShort, trouble } from '../kit/money.ts';
import { button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';

type Context = ContextFrom<typeof keywordGenerationMachine>;

const cancel = button('Отмена', to('fsm:cancel'));
const questions = keywordQuestionScreens({ ways: [[cancel]] });

export const flow = {
  title: 'подбор фраз',
  titleGenitive: 'подбора фраз',
  states: {
    products: questions.products,
    geography: questions.geography,
    quantity: questions.quantity,
    confirm: (context) => confirmScreen(context),
    fetching: (context) => searchingScreen(context, 'fetching'),
    clustering: (context) => searchingScreen(context, 'clustering'),
    enriching: (context) => searchingScreen(context, 'enriching'),
    failed: ({ failure }) => ({
      text: paragraphs(rich`<b>Подобрать фразы не получилось.</b>`, failure && trouble(failure)),
      keyboard: [
        ...(failure?.retryable ? [[button('Повторить', to('kw:confirm'), 'primary')]] : []),
        [button('К категории', to('fsm:cancel'))],
      ],
    }),
    results: ({ keywords: { offer, found } }) => ({
      open: to('kw:{cid}:found', { cid: offer!.categoryId }),
      notice: foundNotice(found!, offer!.isAdmin),
    }),
    left: ({ keywords }) => ({ open: to('category:{cid}:card', { cid: keywords.offer!.categoryId }) }),
    cancelled: ({ origin }) => ({ open: unpackLink(origin), notice: rich`Подбор фраз отменён.` }),
  },
  behind: {
    confirm: (context) =>
      unsuccessful(context, rich`Подбор фраз для категории «${nameIn(context)}» не начался.`),
    failed: (context) =>
      unsuccessful(context, rich`Подобрать фразы для категории «${nameIn(context)}» не получилось.`),
  },
  remains: { fetching: searchGoesOn, clustering: searchGoesOn, enriching: searchGoesOn },
  presses: [
    ...keywordPresses,
    press('kw:change', () => ({ type: 'answers.reopened' })),
    press('kw:confirm', () => ({ type: 'cost.accepted' })),
    press('fsm:cancel', () => ({ type: 'cancelled' })),
  ],
} satisfies FlowScreens<typeof keywordGenerationMachine>;

function confirmScreen({ keywords, failure, balance = keywords.offer!.balance }: Context): Screen {
  const { offer, products, geography, quantity } = keywords;
  const { categoryName, pricePerPhrase, isAdmin } = offer!;
  const asked = { price: quantity! * pricePerPhrase, balance, isAdmin };
  return {
    text: paragraphs(
      failure && refusal(failure),
      rich`<b>Подбор фраз</b> · ${categoryName}`,
      lines(
        rich`Товары и услуги: ${products}`,
        rich`География: ${geography}`,
        rich`Количество: ${plural(quantity!, 'фраза', 'фразы', 'фраз')}`,
      ),
      priceLines(asked, { atMost: true }),
      rich`Ищу только фразы, которых в категории ещё нет. За ненайденные токены вернутся.`,
    ),
    keyboard: [
      ...topUpIfShort(lackingOf(asked), failure),
      [button('Подобрать', to('kw:confirm'), 'success')],
      [button('Изменить', to('kw:change'))],
      [cancel],
    ],
  };
}

const nameIn = ({ keywords }: Context): string => keywords.offer!.categoryName;

const unsuccessful = ({ keywords, failure }: Context, what: RichText): Screen => {
  const cid = keywords.offer!.categoryId;
  return {
    text: paragraphs(what, failure && trouble(failure)),
    keyboard: [
      [button('Подобрать заново', to('kw:{cid}:gen', { cid }))],
      [button('К категории', to('category:{cid}:card', { cid }))],
      [menuButton],
    ],
  };
};
