import type { articlePublishMachine } from '../../../machines/article-publish.ts';
import type { ArticleOffer } from '../../../machines/fragments/article-order.ts';
import {
  type ArticleData,
  articleBehind,
  articleGoesOn,
  articlePresses,
  articleScreens,
  draftWaits,
  expiredNotice,
  failedNotice,
  publishedEnd,
} from '../fragments/article-work.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { draftNotices } from '../pages/publishing.ts';

export const flow = {
  title: 'создание статьи',
  titleGenitive: 'создания статьи',
  states: {
    ...articleScreens,
    published: ({ published }) => publishedEnd(published!),
    failed: ({ offer, failure }) => ({ open: platformMenu(offer), notice: failedNotice(failure) }),
    expired: ({ offer, preview }) => ({
      open: platformMenu(offer),
      notice: expiredNotice(preview),
    }),
    cancelled: ({ offer, preview, returned }) => ({
      open: platformMenu(offer),
      notice: draftNotices.cancelled(returned, preview?.final !== undefined),
    }),
  },
  behind: articleBehind,
  remains: { ...articleGoesOn, ...draftWaits },
  presses: [...articlePresses, press('fsm:cancel', () => ({ type: 'cancelled' }))],
} satisfies FlowScreens<typeof articlePublishMachine, ArticleData>;

const platformMenu = ({ categoryId: cid, connectionId: nid }: ArticleOffer) =>
  nid === null ? to('category:{cid}:card', { cid }) : to('category:{cid}:conn:{nid}:menu', { cid, nid });
