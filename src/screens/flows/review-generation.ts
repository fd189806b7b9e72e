import type { ContextFrom } from 'xstate';
import {
  freeReviewSets,
  nextReviewPrice,
  type reviewGenerationMachine,
  reviewPrice,
  reviewQuantities,
  type SampleReview,
} from '../../../machines/review-generation.ts';
import { plural, tokens, tokensCharged } from '../../russian.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to, unpackLink } from '../kit/link.ts';
import { lackingOf, nextVersionLine, priceLines, topUpIfShort, trouble } from '../kit/money.ts';
import { sampleAsText, shortened, stars } from '../kit/review-text.ts';
import { workingOnIt } from '../kit/save-step.ts';
import { button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';
import { reviewsSavedNotice } from '../pages/reviews.ts';

type Context = ContextFrom<typeof reviewGenerationMachine>;

const cancel = button('Отмена', to('fsm:cancel'));
const SHOWN = 5;
const SHOWN_LENGTH = 400;

export const flow = {
  title: 'создание отзывов',
  titleGenitive: 'создания отзывов',
  states: {
    quantity: (context) => ({
      text: paragraphs(
        head(context),
        rich`Сколько образцов написать? Каждый стоит ${tokens(context.offer.pricePerReview)}.`,
        sampleRule,
        rich`На балансе: ${tokens(context.balance ?? context.offer.balance)}`,
      ),
      keyboard: [reviewQuantities.map((n) => button(String(n), to('review:qty:{n}', { n }))), [cancel]],
    }),
    confirm_cost: (context) => confirmScreen(context),
    generating: ({ offer, late }) => atWork('Пишу отзывы', offer.categoryName, late),
    review: (context) => reviewScreen(context),
    regenerating: ({ offer, late }) => atWork('Пишу другие отзывы', offer.categoryName, late),
    saving: () => workingOnIt(rich`Сохраняю отзывы…`),
    saved: ({ offer, written }) => ({
      open: to('category:{cid}:reviews', { cid: offer.categoryId }),
      notice: reviewsSavedNotice(written!.reviews.length),
    }),
    discarded: ({ origin, offer, spent }) => ({
      open: unpackLink(origin),
      notice: rich`Отзывы не сохранены.${!offer.isAdmin && ` ${tokensCharged(spent)}.`}`,
    }),
    cancelled: ({ origin }) => ({ open: unpackLink(origin), notice: rich`Генерация отзывов отменена.` }),
  },
  behind: { confirm_cost: notWritten, review: writtenBehind },
  remains: { generating: goesOn, regenerating: goesOn },
  presses: [
    press('review:qty:{n}', ({ n }) => ({ type: 'quantity.chosen', quantity: n })),
    press('review:less', () => ({ type: 'quantity.reopened' })),
    press('review:confirm', () => ({ type: 'cost.accepted' })),
    press('review:save', () => ({ type: 'draft.approved' })),
    press('review:regen', () => ({ type: 'draft.declined' })),
    press('fsm:cancel', () => ({ type: 'cancelled' })),
  ],
} satisfies FlowScreens<typeof reviewGenerationMachine>;

const sampleRule = rich`Это образцы, а не слова клиентов: по ним удобно просить настоящие отзывы. В статьи и посты они не попадают.`;

const head = ({ offer }: Context): RichText => rich`<b>Отзывы-образцы</b> · ${offer.categoryName}`;

/** E38a: the price, the balance and what is short, before anything is charged. */
function confirmScreen(context: Context): Screen {
  const { offer, quantity, failure, balance = offer.balance } = context;
  const asked = { price: reviewPrice(context), balance, isAdmin: offer.isAdmin };
  const lacking = lackingOf(asked);
  return {
    text: paragraphs(
      failure && rich`⚠ ${trouble(failure)}`,
      head(context),
      lines(
        rich`${samplesCount(quantity!)} по ${tokens(offer.pricePerReview)}.`,
        priceLines(asked, { atMost: true }),
      ),
      lacking > 0 && rich`Нужно ${tokens(asked.price)}, у вас ${tokens(balance)}.`,
    ),
    keyboard: [
      ...topUpIfShort(lacking, failure),
      [button('Сгенерировать', to('review:confirm'), 'success')],
      [button(lacking > 0 ? 'Меньше отзывов' : 'Другое количество', to('review:less'))],
      [cancel],
    ],
  };
}

function reviewScreen(context: Context): Screen {
  const { offer, written, regenerations, spent, failure } = context;
  const { reviews, missing, warnings } = written!;
  const { balance = written!.balance } = context;
  const price = nextReviewPrice(context);
  const asked = { price, balance, isAdmin: offer.isAdmin };
  return {
    text: paragraphs(
      failure && rich`⚠ ${trouble(failure)}`,
      head(context),
      ...reviews.slice(0, SHOWN).map(asShown),
      reviews.length > SHOWN && rich`Остальные — в файле.`,
      lines(
        missing > 0 && rich`Не получилось: ${samplesCount(missing)}, токены за них вернулись.`,
        ...warnings.map((warning) => rich`⚠ ${warning}`),
        !offer.isAdmin && rich`Списано: ${tokens(spent)}. На балансе: ${tokens(balance)}.`,
        nextVersionLine(price, freeReviewSets - regenerations),
        rich`Если выйти без сохранения, отзывы пропадут, а токены не вернутся.`,
      ),
    ),
    keyboard: [
      ...topUpIfShort(lackingOf(asked), failure),
      [button('Сохранить', to('review:save'), 'success')],
      [
        button(
          price > 0 ? `Ещё вариант (${price})` : `Ещё вариант (${regenerations}/${freeReviewSets})`,
          to('review:regen'),
        ),
      ],
      [cancel],
    ],
    ...(reviews.length > SHOWN && {
      file: { name: 'otzyvy.txt', content: reviews.map(sampleAsText).join('\n\n') },
    }),
  };
}

const asShown = ({ rating, author, text, pros, cons }: SampleReview): RichText =>
  lines(
    rich`${stars(rating)} <b>${author}</b>`,
    rich`${shortened(text, SHOWN_LENGTH)}`,
    pros !== '' && rich`+ ${shortened(pros, 80)}`,
    cons !== '' && rich`− ${shortened(cons, 80)}`,
  );

const samplesCount = (count: number): string => plural(count, 'образец', 'образца', 'образцов');

const atWork = (what: string, category: string, late: boolean): Screen =>
  workingOnIt(
    paragraphs(
      rich`${what} для категории «${category}»… Обычно это до 30 секунд.`,
      late && rich`Дольше обычного: нейросеть отвечает медленно.`,
    ),
  );

function goesOn({ offer }: Context): RichText {
  return rich`Отзывы для категории «${offer.categoryName}» пишутся дальше: готовые придут сюда.`;
}

/** The person left while they were written: they are paid for, so they can still be taken. */
function writtenBehind({ run, offer, written, writtenIn }: Context): Screen {
  const cid = offer.categoryId;
  return {
    text: paragraphs(
      rich`<b>Отзывы готовы</b> · ${offer.categoryName}`,
      ...written!.reviews.slice(0, SHOWN).map(asShown),
    ),
    keyboard: [
      [button('Сохранить', to('review:{cid}:keep:{run}:{k}', { cid, run, k: writtenIn }), 'success')],
      [button('К отзывам', to('category:{cid}:reviews', { cid }))],
      [menuButton],
    ],
  };
}

function notWritten({ offer, failure }: Context): Screen {
  return {
    text: paragraphs(
      rich`Отзывы для категории «${offer.categoryName}» не получились.`,
      failure && trouble(failure),
    ),
    keyboard: [[button('К отзывам', to('category:{cid}:reviews', { cid: offer.categoryId }))], [menuButton]],
  };
}
