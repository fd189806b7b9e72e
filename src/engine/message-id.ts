/**
 * A message in a chat, as its messenger names it: opaque to the engine. A messenger whose messages have an order writes
 * it in front: `123` of Telegram, `123:mid.ab0f` where the order is not the name itself. Without digits in front two
 * messages can only be told to be the same or not.
 */
export type MessageId = string;

/** Whether the message stands at the place of the other or below it. Unordered ones do only when they are the same. */
export const isAtOrBelow = (id: MessageId, other: MessageId): boolean => id === other || isBelow(id, other);

export function isBelow(id: MessageId, other: MessageId): boolean {
  const [order, otherOrder] = [orderOf(id), orderOf(other)];
  if (order === null || otherOrder === null) return false;
  // Compared as texts: some messengers count in 64 bits, of which a number keeps 53.
  return order.length === otherOrder.length ? order > otherOrder : order.length > otherOrder.length;
}

const orderOf = (id: MessageId): string | null => /^0*(\d+)(?:$|:)/u.exec(id)?.[1] ?? null;
