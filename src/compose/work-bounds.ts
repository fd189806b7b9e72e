const MINUTE_MS = 60_000;

/** An article takes a minute and a half at worst in its ordinary life; four models may be asked one after the other. */
export const LONGEST_WORK_MS = 15 * MINUTE_MS;

/**
 * The most time that the work behind a port may take. A service that hangs is told to stop then, and the flow goes on
 * with a failure; its lease would otherwise be renewed for as long as the process lives.
 */
export const workBounds: Readonly<Record<string, number>> = {
  // One or two statements of our own.
  saveProject: 2 * MINUTE_MS,
  saveProjectField: MINUTE_MS,
  saveCategory: MINUTE_MS,
  cancelDraft: MINUTE_MS,
  saveDescription: MINUTE_MS,
  saveReviews: MINUTE_MS,
  // A file is fetched and read first.
  savePrices: 3 * MINUTE_MS,
  // A few calls to one site.
  readSite: 2 * MINUTE_MS,
  reachSite: 2 * MINUTE_MS,
  takeGrant: 2 * MINUTE_MS,
  connectWordPress: 2 * MINUTE_MS,
  connectChannel: 2 * MINUTE_MS,
  readVkKey: 2 * MINUTE_MS,
  connectVk: 2 * MINUTE_MS,
  offerConsent: MINUTE_MS,
  takeConsent: 2 * MINUTE_MS,
  connectPinterest: 2 * MINUTE_MS,
  // The person has ten minutes to add their bot to a chat.
  awaitChat: 12 * MINUTE_MS,
};
