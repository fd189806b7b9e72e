import type { ContextFrom } from 'xstate';
import type { descriptionGenerateMachine } from '../../../machines/description-generate.ts';
import { tokensCharged } from '../../russian.ts';
import { descriptionGoesOn, descriptionPresses, descriptionScreens } from '../fragments/description-work.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to, unpackLink } from '../kit/link.ts';
import { trouble } from '../kit/money.ts';
import { button, paragraphs, rich, type Screen } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';
import { descriptionSavedNotice } from '../pages/description.ts';

type Context = ContextFrom<typeof descriptionGenerateMachine>;

const cancel = [[button('Отмена', to('fsm:cancel'))]];
const screens = descriptionScreens({ atCost: cancel, atReview: cancel });

export const flow = {
  title: 'описание категории',
  titleGenitive: 'описания категории',
  states: {
    ...screens,
    saved: ({ description }) => ({
      open: to('category:{cid}:description', { cid: description.offer!.categoryId }),
      notice: descriptionSavedNotice,
    }),
    discarded: ({ origin, description: { spent, offer } }) => ({
      open: unpackLink(origin),
      notice: rich`Текст не сохранён.${!offer!.isAdmin && ` ${tokensCharged(spent)}.`}`,
    }),
    cancelled: ({ origin }) => ({ open: unpackLink(origin), notice: rich`Генерация описания отменена.` }),
  },
  behind: { confirm: notWritten, review: writtenBehind },
  remains: { generating: descriptionGoesOn, regenerating: descriptionGoesOn },
  presses: [...descriptionPresses, press('fsm:cancel', () => ({ type: 'cancelled' }))],
} satisfies FlowScreens<typeof descriptionGenerateMachine>;

/** The person left while it was written: it is paid for, so it can still be taken. */
function writtenBehind({ run, description }: Context): Screen {
  const { offer, written, writtenIn } = description;
  const cid = offer!.categoryId;
  return {
    text: paragraphs(rich`<b>Описание готово</b> · ${offer!.categoryName}`, rich`${written!.text}`),
    keyboard: [
      [button('Сохранить', to('desc:{cid}:keep:{run}:{k}', { cid, run, k: writtenIn }), 'success')],
      [button('К описанию', to('category:{cid}:description', { cid }))],
      [menuButton],
    ],
  };
}

function notWritten({ description: { offer }, failure }: Context): Screen {
  return {
    text: paragraphs(
      rich`Описание категории «${offer!.categoryName}» не получилось.`,
      failure && trouble(failure),
    ),
    keyboard: [
      [button('К описанию', to('category:{cid}:description', { cid: offer!.categoryId }))],
      [menuButton],
    ],
  };
}
