import type { ArticleOffer } from '../../../machines/fragments/article-order.ts';
import {
  longestOwnAnswer,
  type OwnField,
  type OwnKnowledgeSlice,
} from '../../../machines/fragments/own-knowledge.ts';
import { press } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { triedBefore } from '../kit/save-step.ts';
import { type Button, button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';

const saving = (): Screen => ({ text: rich`Записываю…`, keyboard: [] });

/** Both questions can be left unanswered: an article is written without them, only a more ordinary one. */
export const ownKnowledgeScreens = {
  own_knowledge: (slice: OwnKnowledgeSlice) =>
    questionScreen(slice, 'knows', {
      asked: rich`<b>Что знаете только вы?</b>`,
      hint: rich`Цена, случай с клиентом, цифра из практики, частая ошибка — одно-два предложения. Этого нет у конкурентов, и за это поиск ценит статью. Ответ останется в категории и попадёт в следующие статьи.`,
      example: rich`<i>Например: «На кривых стенах новостроек зазор доходит до 3 см, поэтому добавляем доборную планку. За 2025 год переделок не было».</i>`,
    }),
  saving_own_knowledge: saving,
  own_avoid: (slice: OwnKnowledgeSlice) =>
    questionScreen(slice, 'avoid', {
      asked: rich`<b>О чём не писать?</b>`,
      hint: rich`Товары, которых нет, услуги, от которых отказались, неприятные темы. Через запятую.`,
      example: rich`<i>Например: «рассрочка, эмаль, выезд за город».</i>`,
    }),
  saving_own_avoid: saving,
} satisfies Record<string, (slice: OwnKnowledgeSlice) => Screen>;

export const ownKnowledgePresses = [
  press('pub:article:own', () => ({ type: 'knowledge.opened' }) as const),
  press('pub:article:own:skip', () => ({ type: 'question.skipped' }) as const),
  press('pub:article:own:erase', () => ({ type: 'answer.erased' }) as const),
];

export const knowledgeKeys = ({ knows, avoid }: ArticleOffer): Button[][] => [
  [
    button(
      knows || avoid ? 'Что знаете только вы ✓' : 'Добавить то, что знаете только вы',
      to('pub:article:own'),
    ),
  ],
];

export const knowledgeLines = ({ knows, avoid }: ArticleOffer): RichText | null =>
  knows || avoid
    ? lines(knows ? rich`Расскажем от вас: ${knows}` : null, avoid ? rich`Не пишем о: ${avoid}` : null)
    : null;

type Question = { asked: RichText; hint: RichText; example: RichText };

function questionScreen(
  { offer, failure }: OwnKnowledgeSlice,
  field: OwnField,
  { asked, hint, example }: Question,
): Screen {
  const kept = offer?.[field];
  return {
    text: paragraphs(
      failure && rich`⚠ ${troubleOf(failure)}${triedBefore(failure)}`,
      asked,
      hint,
      kept ? rich`Сейчас: ${kept}` : example,
      rich`Пришлите ответ сообщением или пропустите.`,
    ),
    keyboard: [
      [button(kept ? 'Оставить как есть' : 'Пропустить', to('pub:article:own:skip'))],
      ...(kept ? [[button('Стереть', to('pub:article:own:erase'), 'danger')]] : []),
      [button('К стоимости', to('pub:article:back'))],
    ],
  };
}

const troubleOf = ({ code, userMessage }: NonNullable<OwnKnowledgeSlice['failure']>): string =>
  code === 'TOO_LONG'
    ? `Нужно от 1 до ${longestOwnAnswer} знаков: пришлите короче.`
    : (userMessage ?? 'Не получилось записать. Пришлите ещё раз.');
