import type { ContextFrom } from 'xstate';
import type { keywordUploadMachine } from '../../../machines/keyword-upload.ts';
import {
  uploadedNotice,
  uploadGoesOn,
  uploadingScreen,
  uploadQuestion,
} from '../fragments/keyword-upload.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to, unpackLink } from '../kit/link.ts';
import { trouble } from '../kit/money.ts';
import { button, paragraphs, rich, type Screen } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';

type Context = ContextFrom<typeof keywordUploadMachine>;

export const flow = {
  title: 'приём своих фраз',
  titleGenitive: 'приёма своих фраз',
  states: {
    file_upload: uploadQuestion({ ways: [[button('Отмена', to('fsm:cancel'))]] }),
    enriching: (context) => uploadingScreen(context, 'enriching'),
    clustering: (context) => uploadingScreen(context, 'clustering'),
    results: ({ upload: { category, uploaded } }) => ({
      open: to('kw:{cid}:found', { cid: category!.categoryId }),
      notice: uploadedNotice(uploaded!),
    }),
    cancelled: ({ origin }) => ({ open: unpackLink(origin), notice: rich`Загрузка фраз отменена.` }),
  },
  behind: { file_upload: notUploaded },
  remains: { enriching: uploadGoesOn, clustering: uploadGoesOn },
  presses: [press('fsm:cancel', () => ({ type: 'cancelled' }))],
} satisfies FlowScreens<typeof keywordUploadMachine>;

function notUploaded({ upload: { category }, failure }: Context): Screen {
  const { categoryId: cid, categoryName } = category!;
  return {
    text: paragraphs(
      rich`Фразы для категории «${categoryName}» не загрузились.`,
      failure && trouble(failure),
    ),
    keyboard: [
      [button('Загрузить снова', to('kw:{cid}:upload', { cid }))],
      [button('К категории', to('category:{cid}:card', { cid }))],
      [menuButton],
    ],
  };
}
