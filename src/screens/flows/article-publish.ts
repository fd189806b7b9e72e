import type { articlePublishMachine } from '../../../machines/article-publish.ts';
import type { ArticleOffer } from '../../../machines/fragments/article-work.ts';
import {
  type ArticleData,
  articleBehind,
  articlePresses,
  articleRemains,
  articleScreens,
  failedNotice,
  publishedEnd,
} from '../fragments/article-work.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { rich } from '../kit/screen.ts';
import { draftNotices } from '../pages/publishing.ts';

export const flow = {
  title: 'создание статьи',
  titleGenitive: 'создания статьи',
  states: {
    ...articleScreens,
    published: ({ published }) => publishedEnd(published!),
    failed: ({ offer, failure }) => ({ open: platformMenu(offer), notice: failedNotice(failure) }),
    expired: ({ offer }) => ({
      open: platformMenu(offer),
      notice: rich`Предпросмотр устарел: черновик хранится 24 часа. Токены за него уже вернулись на баланс.`,
    }),
    cancelled: ({ offer, returned }) => ({
      open: platformMenu(offer),
      notice: draftNotices.cancelled(returned),
    }),
  },
  behind: articleBehind,
  remains: articleRemains,
  presses: [...articlePresses, press('fsm:cancel', () => ({ type: 'cancelled' }))],
} satisfies FlowScreens<typeof articlePublishMachine, ArticleData>;

const platformMenu = ({ categoryId: cid, connectionId: nid }: ArticleOffer) =>
  nid === null ? to('category:{cid}:card', { cid }) : to('category:{cid}:conn:{nid}:menu', { cid, nid });
