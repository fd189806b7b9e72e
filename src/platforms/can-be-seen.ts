/**
 * Whether there is anything to see in a text. Blanks, controls, joiners, selectors and fillers alone show nothing, and
 * a platform refuses them as an empty text.
 */
export const canBeSeen = (text: string): boolean =>
  /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufffc]/u.test(text);
