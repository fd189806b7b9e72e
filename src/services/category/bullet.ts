/** What stands before the lines of a list that somebody pastes: a sign or a number. */
export const BULLET = /^(?:(?:[•*–—-]|\d{1,3}[.)])\s+(?=\S))+/u;
