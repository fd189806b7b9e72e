import { descriptionLength } from '../../../machines/description-text.ts';
import type { Misfit } from '../../../machines/misfit.ts';
import { deletionScreen } from '../kit/deletion.ts';
import { to } from '../kit/link.ts';
import { button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';

export type CategoryDescription = { categoryId: number; categoryName: string; description: string };

export function descriptionScreen(
  { categoryId: cid, categoryName, description }: CategoryDescription,
  price: number,
): Screen {
  const filled = description !== '';
  return {
    text: paragraphs(
      rich`<b>Описание</b> · ${categoryName}`,
      filled
        ? rich`${description}`
        : rich`Пока пусто. Расскажите, что входит в категорию, для кого это и чем вы отличаетесь: статьи и посты станут точнее и перестанут быть общими словами.`,
    ),
    keyboard: [
      [button(`Сгенерировать (${price})`, to('desc:{cid}:gen', { cid }))],
      [button(filled ? 'Написать заново' : 'Написать самому', to('desc:{cid}:manual', { cid }))],
      ...(filled ? [[button('Удалить', to('desc:{cid}:delete', { cid }), 'danger')]] : []),
      [toCategory(cid)],
    ],
  };
}

export function ownDescriptionScreen({ categoryName, description }: CategoryDescription): Screen {
  const { min, max } = descriptionLength;
  return {
    text: paragraphs(
      rich`<b>Описание</b> · ${categoryName}`,
      lines(
        rich`Пришлите текст сообщением: от ${min} до ${max} символов.`,
        rich`<i>Например: Букеты невесты и бутоньерки под платье. Собираем утром в день свадьбы, привозим по Казани бесплатно.</i>`,
      ),
      description !== '' && rich`Новый текст заменит прежний.`,
    ),
    keyboard: [],
  };
}

export const ownDescriptionMisfits: Record<Misfit, RichText> = {
  'too-short': rich`Слишком коротко: нужно хотя бы ${descriptionLength.min} символов.`,
  'too-long': rich`Слишком длинно: уложитесь в ${descriptionLength.max} символов.`,
  'wrong-format': rich`Опишите категорию словами.`,
};

export const descriptionSavedNotice: RichText = rich`Описание сохранено: следующие статьи и посты его учтут.`;

export const deleteDescriptionScreen = ({
  categoryId: cid,
  categoryName,
  description,
}: CategoryDescription): Screen =>
  deletionScreen({
    question: rich`Удалить описание категории <b>${categoryName}</b>?`,
    head: rich``,
    losses: [],
    draftTokens: 0,
    what: description,
    confirm: (h) => to('desc:{cid}:delete:yes:{h}', { cid, h }),
    back: to('category:{cid}:description', { cid }),
  });

export const descriptionDeletedNotice: RichText = rich`Описание удалено.`;

export const toCategory = (cid: number) => button('К категории', to('category:{cid}:card', { cid }));
