import type { FaultRule } from '../../src/sandbox/faults.ts';
import type { WordPressStandIn } from '../../src/sandbox/wordpress/start.ts';
import { sitePath } from './article-authors.ts';

/** What a site does to the request that makes the post, and to the looks behind it, however often it was read before. */
export type Moment = { posting: FaultRule['fault']; looking?: Omit<FaultRule, 'match'> };

/** The post is there, its answer is not; a look finds it. */
export const lost: Moment = { posting: { kind: 'reset-after' } };

/** The answer is lost, and so is the look behind it, which asks three times until the bot gives up and says so. */
export const unseen: Moment = {
  posting: { kind: 'reset-after' },
  looking: { times: 3, fault: { kind: 'status', status: 503 } },
};

export function arrange({ faults }: WordPressStandIn, userId: number, { posting, looking }: Moment): void {
  const next = looking ? [{ match: `GET ${postsOf(userId)}`, ...looking }] : [];
  faults.add({ match: `POST ${postsOf(userId)}`, fault: posting, next });
}

export const postsOf = (userId: number): string => `/${sitePath(userId)}/wp-json/wp/v2/posts$`;
