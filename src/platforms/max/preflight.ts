import { checkPost } from '../check-post.ts';
import {
  type OutgoingPost,
  type Rendered,
  type Step,
  type StepItem,
  toPreflight,
} from '../messenger/messenger.ts';

/** A post as the messages that will be made for it. Throws NotSendable. */
export function renderForMax(post: OutgoingPost): Rendered {
  const checked = checkPost('max', post);
  return {
    text: checked.text.sent,
    meta: {
      platform: 'max',
      format: checked.format,
      disablePreview: post.disablePreview ?? false,
      steps: layOut(checked),
    },
  };
}

export const maxPreflight = toPreflight(renderForMax);

/** The text goes with the first of the media, unless that one has words of its own. */
function layOut({ hasText, items, buttons, rules }: ReturnType<typeof checkPost>): Step[] {
  const alone: Step = { hasText: true, items: [], buttons };
  const room = rules.together - (buttons.length > 0 ? 1 : 0); // the keyboard is an attachment too
  const groups = inGroups(items, room);
  const [first, ...rest] = groups.map((group): Step => ({ hasText: false, items: group, buttons: [] }));
  if (!first) return [alone];
  const isFree = first.items[0]?.caption === '';
  if (hasText && !isFree) return [alone, first, ...rest];
  return [{ ...first, hasText, buttons }, ...rest];
}

/**
 * Pictures and videos stand together in one message. A file or audio must be alone in its own, and an attachment has
 * no caption of its own but the text of its message: either makes a series of all of them, one each.
 */
function inGroups(items: readonly StepItem[], most: number): StepItem[][] {
  const together = items.every(({ type, caption }) => /image|video/u.test(type) && caption === '');
  const size = together ? most : 1;
  return items.flatMap((_, at) => (at % size === 0 ? [items.slice(at, at + size)] : []));
}
