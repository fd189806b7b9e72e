import type { Niche } from '../../../../services/quality/niches.ts';
import type { PropName } from './props.ts';

export type Backdrop = 'hills' | 'mountains' | 'city';
/** Where the things belong: no cup on the floor, no car on a table. */
export type Place = 'floor' | 'table' | 'outdoors';

/** What can be seen in a trade's pictures; the first one stands in front most often. */
export const casts: Readonly<
  Record<Niche, { place: Place; backdrop: Backdrop; things: readonly PropName[] }>
> = {
  pets: { place: 'floor', backdrop: 'hills', things: ['dog', 'cat', 'petbowl', 'comb', 'towels'] },
  beauty: { place: 'table', backdrop: 'hills', things: ['mirror', 'bottles', 'towels', 'vase', 'cup'] },
  children: { place: 'floor', backdrop: 'hills', things: ['blocks', 'kite', 'pencils', 'books', 'globe'] },
  medical: {
    place: 'table',
    backdrop: 'city',
    things: ['clipboard', 'stethoscope', 'plant', 'bottles', 'notebook'],
  },
  legal: { place: 'table', backdrop: 'city', things: ['scales', 'folders', 'books', 'lamp', 'notebook'] },
  finance: { place: 'table', backdrop: 'city', things: ['chart', 'coins', 'folders', 'laptop', 'plant'] },
  furniture: { place: 'floor', backdrop: 'city', things: ['sofa', 'cabinet', 'armchair', 'table', 'vase'] },
  auto: { place: 'outdoors', backdrop: 'city', things: ['car', 'tyres', 'toolboard', 'boxes', 'phone'] },
  realestate: {
    place: 'floor',
    backdrop: 'city',
    things: ['armchair', 'paint', 'cabinet', 'plant', 'house'],
  },
  food: { place: 'table', backdrop: 'city', things: ['cup', 'cake', 'croissant', 'bowl', 'vase'] },
  education: {
    place: 'table',
    backdrop: 'hills',
    things: ['books', 'globe', 'pencils', 'notebook', 'laptop'],
  },
  it: { place: 'table', backdrop: 'city', things: ['laptop', 'phone', 'plant', 'cup', 'chart'] },
  travel: {
    place: 'outdoors',
    backdrop: 'mountains',
    things: ['tent', 'suitcase', 'globe', 'notebook', 'cup'],
  },
  sport: { place: 'floor', backdrop: 'hills', things: ['mat', 'dumbbell', 'ball', 'plant', 'towels'] },
  construction: {
    place: 'outdoors',
    backdrop: 'city',
    things: ['crane', 'mixer', 'bricks', 'house', 'clipboard'],
  },
  general: { place: 'table', backdrop: 'hills', things: ['notebook', 'cup', 'boxes', 'plant', 'lamp'] },
};
