/**
 * Where a person is talked to: a messenger, and the messenger's own id of their chat. Opaque: a number of one messenger
 * means nothing to another. A person is an id of ours; table `identities` stands between.
 */
export type Address = { messenger: string; chat: string };
