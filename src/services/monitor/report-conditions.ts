/** Something that the owner should know of while its amount is above its limit. */
export type Condition<Kind extends string> = {
  kind: Kind;
  amount: number;
  /** Where several of one kind can be at once, such as disks of machines. */
  of?: string;
};

type ConditionTexts<Kind extends string> = Readonly<
  Record<Kind, { grave(amount: number, of: string): string; over(of: string): string }>
>;

type Deps<Kind extends string> = {
  /** What was told and is not over yet; 0: nothing. */
  told: {
    amountOf(name: string): Promise<number>;
    keep(name: string, amount: number): Promise<void>;
    forget(name: string): Promise<void>;
  };
  limits: Readonly<Record<Kind, number>>;
  texts: ConditionTexts<Kind>;
  tell(text: string): Promise<void>;
};

/** A flood of a thousand makes ten messages, not a thousand. */
const MUCH_MORE = 2;

/**
 * Tells what is above its limit: once, again when it has doubled, and when it is over. One caller at a time. Noted only
 * behind the telling: after a crash in between a message may come twice, none is lost.
 */
export const makeReportConditions =
  <Kind extends string>({ told, limits, texts, tell }: Deps<Kind>) =>
  async (found: readonly Condition<Kind>[]): Promise<void> => {
    for (const { kind, amount, of = '' } of found) {
      const name = of === '' ? kind : `${kind}:${of}`;
      const before = await told.amountOf(name);
      if (amount > limits[kind] && (before === 0 || amount >= before * MUCH_MORE)) {
        await tell(texts[kind].grave(amount, of));
        await told.keep(name, amount);
      } else if (before > 0 && amount <= limits[kind] / 2) {
        // Well below the limit: what wavers around it would be told at every wave.
        await tell(texts[kind].over(of));
        await told.forget(name);
      }
    }
  };
