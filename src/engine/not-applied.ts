/** The update was not applied and must not be acknowledged: the messenger has to bring it again. */
export abstract class NotApplied extends Error {}

/** The process is going down: another one should get the update. */
export class Stopping extends NotApplied {
  override readonly name = 'Stopping';
}

/** The person's lock was not available, or was lost, in the time an update may take. */
export class NotAdmitted extends NotApplied {
  override readonly name = 'NotAdmitted';
}

/** A later release has stored it: a process of that release should get the update. What is stored stays as it is. */
export class NewerState extends NotApplied {
  override readonly name = 'NewerState';
}

/** A store gave no answer, or one that says it cannot serve now. What was asked of it is neither done nor refused. */
export class StoreAway extends NotApplied {
  override readonly name = 'StoreAway';
}
