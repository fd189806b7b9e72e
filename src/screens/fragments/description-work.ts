import {
  type DescriptionDraft,
  type DescriptionSlice,
  freeDescriptions,
  nextDescriptionPrice,
} from '../../../machines/fragments/description-work.ts';
import { plural, tokens } from '../../russian.ts';
import { press } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { lackingOf, nextVersionLine, priceLines, topUpIfShort, trouble } from '../kit/money.ts';
import { workingOnIt } from '../kit/save-step.ts';
import { button, type Keyboard, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';

type Show = (slice: DescriptionSlice) => Screen;
type Face = {
  /** Above the price and the text. */
  head?: (slice: DescriptionSlice) => RichText;
  /** The rows below at the price, and below at the text. */
  atCost: Keyboard;
  atReview: Keyboard;
  /** What else may be done at the price. */
  instead?: RichText;
};

const ownHead = ({ description: { offer } }: DescriptionSlice): RichText =>
  rich`<b>Описание категории</b> · ${offer!.categoryName}`;

/** From the price of a description to its saved text. */
export function descriptionScreens({ head = ownHead, atCost, atReview, instead }: Face) {
  return {
    confirm: (slice) => {
      const { description, failure } = slice;
      const { price, isAdmin } = description.offer!;
      const asked = { price, balance: slice.balance ?? description.offer!.balance, isAdmin };
      return {
        text: paragraphs(
          failure && rich`⚠ ${trouble(failure)}`,
          head(slice),
          rich`Напишу 100–300 слов о том, что вы предлагаете и кому. Описание учитывают все статьи и посты категории.`,
          materialLine(description),
          description.offer!.replaces === true &&
            rich`Прежнее описание останется, пока вы не сохраните новое вместо него.`,
          priceLines(asked),
          instead ?? null,
        ),
        keyboard: [
          ...topUpIfShort(lackingOf(asked), failure),
          [button('Сгенерировать', to('desc:confirm'), 'success')],
          ...atCost,
        ],
      };
    },
    generating: ({ description, late }) => atWork('Пишу описание', description, late),
    review: (slice) => {
      const { description, failure } = slice;
      const { offer, written, regenerations, spent } = description;
      const price = nextDescriptionPrice(description);
      const { balance = written!.balance } = slice;
      const asked = { price, balance, isAdmin: offer!.isAdmin };
      return {
        text: paragraphs(
          failure && rich`⚠ ${trouble(failure)}`,
          head(slice),
          rich`${written!.text}`,
          lines(...written!.warnings.map((warning) => rich`⚠ ${warning}`)),
          lines(
            !offer!.isAdmin && rich`Списано: ${tokens(spent)}. На балансе: ${tokens(balance)}.`,
            nextVersionLine(price, freeDescriptions - regenerations),
            rich`Если выйти без сохранения, текст пропадёт, а токены не вернутся.`,
          ),
        ),
        keyboard: [
          ...topUpIfShort(lackingOf(asked), failure),
          [button('Сохранить', to('desc:save'), 'success')],
          [
            button(
              price > 0 ? `Ещё вариант (${price})` : `Ещё вариант (${regenerations}/${freeDescriptions})`,
              to('desc:regen'),
            ),
          ],
          ...atReview,
        ],
      };
    },
    regenerating: ({ description, late }) => atWork('Пишу другой вариант', description, late),
    saving: () => workingOnIt(rich`Сохраняю описание…`),
  } satisfies Record<string, Show>;
}

export const descriptionPresses = [
  press('desc:confirm', () => ({ type: 'cost.accepted' })),
  press('desc:save', () => ({ type: 'draft.approved' })),
  press('desc:regen', () => ({ type: 'draft.declined' })),
] as const;

/** For a person who goes elsewhere while the text is written. */
export const descriptionGoesOn = ({ description: { offer } }: DescriptionSlice): RichText =>
  rich`Описание категории «${offer!.categoryName}» пишется дальше: готовый текст придёт сюда.`;

const atWork = (what: string, { offer }: DescriptionDraft, late: boolean): Screen =>
  workingOnIt(
    paragraphs(
      rich`${what} категории «${offer!.categoryName}»… Обычно это до 20 секунд.`,
      late && rich`Дольше обычного: нейросеть отвечает медленно.`,
    ),
  );

function materialLine({ offer }: DescriptionDraft): RichText {
  const { phrases, goods, reviews } = offer!;
  const used = [
    'анкета проекта',
    phrases > 0 && plural(Math.min(phrases, 10), 'фраза', 'фразы', 'фраз'),
    goods > 0 && `прайс (${plural(goods, 'позиция', 'позиции', 'позиций')})`,
    reviews > 0 && plural(reviews, 'отзыв клиентов', 'отзыва клиентов', 'отзывов клиентов'),
  ].filter(Boolean);
  return rich`Из чего: ${used.join(', ')}.`;
}
