import { ApiRefused } from '../../clients/http/api-refused.ts';
import type { Log } from '../../log.ts';
import { toJpeg } from '../../services/pictures/process-picture.ts';
import type { ConnectionMetadata } from '../../store/connections.ts';
import type { PostPublisher } from '../post-publisher.ts';
import { waitOnce } from '../wait-once.ts';
import { type VkAccess, vkAccess } from './access.ts';
import type { Vk, VkPost } from './client.ts';
import { asVkFailure, vkMayBeDone } from './failures.ts';

type Deps = {
  vk: Pick<Vk, 'uploadPhoto' | 'post'>;
  /** What was learned of the connection. */
  remember(connectionId: number, change: { metadata: ConnectionMetadata }): Promise<void>;
  log: Log;
};

/** VK answers a repeat with the post it made for an hour; less here, for clocks that differ. */
const KNOWS_KEYS_MS = 50 * 60_000;

const NOT_FOR_THIS_KEY = /^(?:7|15|27|28|1051)$/u;
const NO_PICTURE =
  'Ключ сообщества не пускает картинки: пост вышел текстом со ссылкой. С картинками публикует ключ пользователя с правом photos.';
const NOT_CONFIRMED = 'VK не подтвердил публикацию.';

/** Posts on the wall of a community. A key that may not bring pictures publishes the text with the link. */
export function makeVkPublisher({ vk, remember, log }: Deps): PostPublisher {
  const publish: PostPublisher['publish'] = async ({ id, metadata }, credentials, post, call) => {
    const { text, link, picture } = post;
    const access = vkAccess(credentials);
    const { idempotencyKey: guid, signal } = call;
    const isWelcome = metadata.photos !== false;
    const photo = picture && isWelcome ? await brought(access, picture, signal) : null;
    // From now on the connection knows, and no picture is drawn for it.
    const isRefused = picture !== null && photo === null;
    if (isRefused && isWelcome) await remember(id, { metadata: { photos: false } });
    const bare = isRefused && ({ withoutPicture: true } as const);
    const attachments = [photo, link].filter((one) => one !== null);
    const wanted: VkPost = { groupId: access.groupId, message: text, attachments, guid };
    try {
      const { postId, url, raw } = await waitOnce(async () => {
        await call.beforeCall();
        return made(access.token, wanted, signal);
      }, signal);
      const warnings = isRefused ? [NO_PICTURE] : [];
      return { outcome: 'sent', providerMessageId: String(postId), url, warnings, ...bare, raw };
    } catch (error) {
      if (!vkMayBeDone(error)) throw asVkFailure(error);
      log.warn({ err: error, publication: guid }, 'it is unknown whether a post is on the wall');
      return { outcome: 'unknown', message: NOT_CONFIRMED, ...bare, raw: null };
    }
  };
  return { publish, knowsKeysMs: KNOWS_KEYS_MS };

  /** Null: VK takes no pictures from a key of this kind. */
  async function brought(
    { token, groupId }: VkAccess,
    picture: Uint8Array,
    signal: AbortSignal,
  ): Promise<string | null> {
    const photo = { bytes: await toJpeg(picture), fileName: 'picture.jpg', contentType: 'image/jpeg' };
    try {
      return await waitOnce(() => vk.uploadPhoto(token, groupId, photo, signal), signal);
    } catch (error) {
      if (error instanceof ApiRefused && NOT_FOR_THIS_KEY.test(error.word ?? '')) return null;
      throw asVkFailure(error);
    }
  }

  /** A lost answer is asked for once more, under the same key: VK makes no second post of it. */
  async function made(token: string, post: VkPost, signal: AbortSignal) {
    try {
      return await vk.post(token, post, signal);
    } catch (error) {
      if (!vkMayBeDone(error) || signal.aborted) throw error;
      return vk.post(token, post, signal);
    }
  }
}
