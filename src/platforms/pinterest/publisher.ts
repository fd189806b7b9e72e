import { DeliveryFailed } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { toPin } from '../../services/pictures/process-picture.ts';
import { mayBeDone } from '../failure-table.ts';
import type { PostPublisher } from '../post-publisher.ts';
import { waitOnce } from '../wait-once.ts';
import type { makePinterestAccess } from './access.ts';
import type { Pinterest } from './client.ts';
import { asPinterestFailure } from './failures.ts';

type Deps = {
  pinterest: Pick<Pinterest, 'createPin'>;
  /** With a token that is renewed in time. */
  access: ReturnType<typeof makePinterestAccess>;
  log: Log;
};

const NOT_CONFIRMED = 'Pinterest не подтвердил публикацию.';

/** Pins on a person's board, each with its picture and a link to the site. */
export const makePinterestPublisher = ({ pinterest, access, log }: Deps): PostPublisher => ({
  async publish({ id: connectionId }, _, { text, title, link, alt, picture }, call) {
    const { userId, idempotencyKey, signal } = call;
    if (!picture) throw withoutPicture();
    const jpeg = await toPin(picture);
    const { token, boardId } = await access({ userId, connectionId }, signal);
    try {
      const pin = {
        ...{ boardId, title: title ?? '', description: text, altText: alt, jpeg },
        ...(link && { link }),
      };
      const { pinId, url, raw } = await waitOnce(async () => {
        await call.beforeCall();
        return pinterest.createPin(token, pin, signal);
      }, signal);
      return { outcome: 'sent', providerMessageId: pinId, url, warnings: [], raw };
    } catch (error) {
      if (!mayBeDone(error)) throw asPinterestFailure(error);
      log.warn({ err: error, publication: idempotencyKey }, 'it is unknown whether a pin is on the board');
      return { outcome: 'unknown', message: NOT_CONFIRMED, raw: null };
    }
  },
});

const withoutPicture = (): DeliveryFailed =>
  new DeliveryFailed({
    ...{ category: 'PERMANENT', scope: 'delivery', code: 'no_picture', message: 'a pin without a picture' },
    userMessage: 'Картинка поста потерялась, а без неё пин не выйдет. Перегенерируйте пост.',
  });
