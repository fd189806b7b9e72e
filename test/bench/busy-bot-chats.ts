/** Visibly opens nothing but the stand-in. */
export const MAX_TOKEN = 'max-token-of-the-bench';
export const chatOf = (userId: number): number => -70_000_000_000_000 - userId;
