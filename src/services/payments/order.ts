import { isPackage, type Offer, offerOf, type StarsList } from '../../catalogue.ts';

/** What an invoice is for, as its payload tells. */
export type Order = { kind: 'package' | 'plan'; offer: Offer; userId: number };

const kinds = { purchase: 'package', sub: 'plan' } as const;
const payloadShape = /^(purchase|sub):([a-z]+):user_(\d{1,16})$/u;

export const payloadOf = ({ kind, offer, userId }: Order): string =>
  `${kind === 'plan' ? 'sub' : 'purchase'}:${offer.name}:user_${userId}`;

/** Null for what is no payload of ours, or names nothing that is sold. */
export function orderIn(payload: string, list: StarsList): Order | null {
  const [, word, name = '', userId] = payloadShape.exec(payload) ?? [];
  if (word === undefined || !isPackage(name)) return null;
  const kind = kinds[word as keyof typeof kinds];
  const offer = offerOf(name, list);
  return kind === 'plan' && !offer.isPlan ? null : { kind, offer, userId: Number(userId) };
}
