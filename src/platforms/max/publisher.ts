import type { PostPublisher } from '../post-publisher.ts';
import { maxAccess } from './access.ts';
import type { MaxAdapter } from './publish.ts';

/** Posts to a person's chat or channel of MAX. */
export const makeMaxPublisher = (adapter: Pick<MaxAdapter, 'publish'>): PostPublisher => ({
  publish: (_, credentials, { text, picture }, call) =>
    adapter.publish(maxAccess(credentials), { html: text, picture }, call),
});
