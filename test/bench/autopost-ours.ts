/** Our dispatcher as a contestant: posts enqueued as they come in, ten sends at once. */
import { serveContestant } from './autopost-contestant.ts';
import { addChannels, isEmpty, openAutopost, WORKSPACE } from './autopost-ground.ts';
import { CHANNELS as MANY, renderedPost } from './autopost-post.ts';

const { DATABASE_URL = '', API_ROOT = '', CHANNELS = MANY } = process.env;
const channels = Number(CHANNELS);
const autopost = await openAutopost(DATABASE_URL, API_ROOT);
const { dispatcher, stores, database } = autopost;
await addChannels(autopost, channels);
let posts = 0;

serveContestant({
  async fill(deliveries) {
    for (let queued = 0; queued < deliveries; queued += channels) {
      const { text, meta } = renderedPost(posts++);
      await stores.enqueue(
        { workspaceId: WORKSPACE, endpointId: null, kind: 'push' },
        { payload: { text, meta: { parse_mode: 'HTML' } }, renderings: { telegram: { text, meta } } },
      );
    }
  },
  start: dispatcher.start,
  isEmpty: () => isEmpty(database.sql),
  stop: () => dispatcher.stop(),
});
