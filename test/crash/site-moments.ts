import type { FaultRule } from '../../src/sandbox/faults.ts';
import type { WordPressStandIn } from '../../src/sandbox/wordpress/start.ts';
import { sitePath } from './article-authors.ts';

/** What a person's site does to the request that makes the post, and to the looks that follow it. */
export type Moment = { posting: FaultRule['fault']; looking?: readonly Omit<FaultRule, 'match'>[] };

/** The look before the first attempt asks for posts twice: by slug, and by the mark in their text. */
export const firstLook = { times: 2, fault: { kind: 'slow', ms: 0 } } as const;

/** The post is there, its answer is not; a look finds it. */
export const lost: Moment = { posting: { kind: 'reset-after' } };

/** The answer is lost, and so is every look until the bot gives up and says so. */
export const unseen: Moment = {
  posting: { kind: 'reset-after' },
  looking: [firstLook, { times: 3, fault: { kind: 'status', status: 503 } }],
};

export function arrange(
  { faults }: WordPressStandIn,
  userId: number,
  { posting, looking = [] }: Moment,
): void {
  faults.add({ match: `POST ${postsOf(userId)}`, fault: posting });
  for (const rule of looking) faults.add({ match: `GET ${postsOf(userId)}`, ...rule });
}

export const postsOf = (userId: number): string => `/${sitePath(userId)}/wp-json/wp/v2/posts$`;
