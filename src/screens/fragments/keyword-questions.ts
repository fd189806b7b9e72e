import { type KeywordSlice, keywordQuantities } from '../../../machines/fragments/keyword-questions.ts';
import type { Misfit } from '../../../machines/misfit.ts';
import { tokens } from '../../russian.ts';
import { press } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { refusal, topUpIfShort } from '../kit/money.ts';
import { button, type Keyboard, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';

/** Where most companies want to be found. */
const places = [
  { code: 'msk', label: 'Москва', place: 'Москва' },
  { code: 'spb', label: 'СПб', place: 'Санкт-Петербург' },
  { code: 'ru', label: 'Россия', place: 'Россия' },
] as const;

type Show = (slice: KeywordSlice) => Screen;
type Face = {
  /** Above the question; `n` of three. */
  head?: (n: number) => RichText;
  /** The rows that every question has below. */
  ways: Keyboard;
};

const ownHead = (n: number): RichText => rich`<b>Подбор фраз (${n}/3)</b>`;

/** The three questions about the phrases that are wanted. */
export function keywordQuestionScreens({ head = ownHead, ways }: Face): Record<KeywordQuestion, Show> {
  return {
    products: ({ keywords: { offer, products }, misfit }) =>
      question(1, {
        complaint: misfit && productComplaints[misfit],
        ask: rich`Какие товары или услуги ищут ваши клиенты? Перечислите через запятую.`,
        example: rich`букет невесты, бутоньерки, оформление арки`,
        kept: products,
        choices: [[button(`Взять «${offer!.categoryName}»`, to('kw:suggest'))]],
      }),
    geography: ({ keywords: { offer, geography }, misfit }) => {
      const city = offer!.city;
      return question(2, {
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
      });
    },
    quantity: ({ keywords: { offer }, failure }) => ({
      text: paragraphs(
        failure && refusal(failure),
        head(3),
        lines(
          rich`Сколько фраз подобрать?`,
          rich`Фраза стоит ${tokens(offer!.pricePerPhrase)}. Если найдётся меньше, остаток вернётся.`,
          rich`На балансе: ${tokens(offer!.balance)}${offer!.isAdmin && ' · GOD_MODE, бесплатно'}`,
        ),
      ),
      keyboard: [
        ...topUpIfShort(0, failure),
        keywordQuantities.map((n) => button(String(n), to('kw:qty:{n}', { n }))),
        ...ways,
      ],
    }),
  };

  function question(n: number, { complaint, ask, example, kept, choices }: Question): Screen {
    return {
      ...(complaint && { complaint }),
      text: paragraphs(
        head(n),
        lines(ask, rich`<i>Например: ${example}</i>`),
        kept !== null && rich`Сейчас: ${kept}`,
      ),
      keyboard: [
        ...(kept === null ? [] : [[button('Оставить как есть', to('kw:keep'))]]),
        ...choices,
        ...ways,
      ],
    };
  }
}

export const keywordPresses = [
  press('kw:suggest', () => ({ type: 'category.chosen' })),
  press('kw:keep', () => ({ type: 'answer.kept' })),
  press('kw:geo:own', () => ({ type: 'city.chosen' })),
  ...places.map(({ code, place }) => press(`kw:geo:${code}`, () => ({ type: 'place.chosen', place }))),
  press('kw:qty:{n}', ({ n }) => ({ type: 'quantity.chosen', quantity: n })),
] as const;

type KeywordQuestion = 'products' | 'geography' | 'quantity';

type Question = {
  complaint: RichText | null;
  ask: RichText;
  example: RichText;
  /** What was answered before, when the person comes back to change it. */
  kept: string | null;
  choices: Keyboard;
};

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
