import type { PostOffer } from '../../../machines/fragments/post-ports.ts';
import type { socialPostPublishMachine } from '../../../machines/social-post-publish.ts';
import {
  type PostData,
  postBehind,
  postNotices,
  postPresses,
  postRemains,
  postScreens,
  publishedPostEnd,
} from '../fragments/post-work.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { button } from '../kit/screen.ts';

const prefix = 'pub:social';

export const flow = {
  title: 'создание поста',
  titleGenitive: 'создания поста',
  states: {
    ...postScreens(prefix, [[button('Отмена', to('fsm:cancel'))]]),
    published: ({ post }) => publishedPostEnd(post.published!),
    failed: ({ post, failure }) => ({ open: platformMenu(post.offer!), notice: postNotices.failed(failure) }),
    expired: ({ post }) => ({ open: platformMenu(post.offer!), notice: postNotices.expired }),
    left: ({ post }) => ({ open: platformMenu(post.offer!), notice: postNotices.left }),
    cancelled: ({ post }) => ({
      open: platformMenu(post.offer!),
      notice: postNotices.cancelled(post.returned),
    }),
  },
  behind: postBehind,
  remains: postRemains,
  presses: [...postPresses(prefix), press('fsm:cancel', () => ({ type: 'cancelled' }) as const)],
} satisfies FlowScreens<typeof socialPostPublishMachine, PostData>;

const platformMenu = ({ categoryId, connectionId }: PostOffer) =>
  to('category:{cid}:conn:{nid}:menu', { cid: categoryId, nid: connectionId });
