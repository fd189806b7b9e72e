/** A person cannot do this: no such person, no such button, or they have blocked the bot. */
export class CannotAct extends Error {
  override readonly name = 'CannotAct';
}
