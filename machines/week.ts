/** As they are stored, in the order of a calendar that begins on Monday. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** Hours at which something may be published: from six in the morning to eleven at night. */
export const slotTimes = Array.from({ length: 18 }, (_, index) => `${String(index + 6).padStart(2, '0')}:00`);

export const MOST_POSTS_A_DAY = 5;

export const isWeekday = (word: string): word is Weekday => (weekdays as readonly string[]).includes(word);

/** With the item, or without it; the order is the calendar's. */
export const ticked = <Item extends string>(
  chosen: readonly Item[],
  item: Item,
  isOn: boolean,
  order: readonly Item[],
): Item[] => order.filter((each) => (each === item ? isOn : chosen.includes(each)));
