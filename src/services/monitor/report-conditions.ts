import { ShowLater } from '../../engine/presenter.ts';

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
  /** Sent again by a process that cannot know whether the first message arrived. */
  repeated(text: string): string;
  tell(text: string): Promise<void>;
};

/** A flood of a thousand makes ten messages, not a thousand. */
const MUCH_MORE = 2;

/**
 * Tells what is above its limit: once, again when it has doubled, and when it is over. One caller at a time. That it is
 * being told is noted before, that it was told behind: after a crash in between it comes again and says that it may be a
 * repeat, so none is lost.
 */
export const makeReportConditions =
  <Kind extends string>({ told, limits, texts, repeated, tell }: Deps<Kind>) =>
  async (found: readonly Condition<Kind>[]): Promise<void> => {
    for (const { kind, amount, of = '' } of found) {
      const name = of === '' ? kind : `${kind}:${of}`;
      const before = await told.amountOf(name);
      if (amount > limits[kind] && (before === 0 || amount >= before * MUCH_MORE)) {
        await telling(name, texts[kind].grave(amount, of), () => told.keep(name, amount));
      } else if (before > 0 && amount <= limits[kind] / 2) {
        // Well below the limit: an amount near it would be reported again and again.
        await telling(name, texts[kind].over(of), () => told.forget(name));
      }
    }

    async function telling(name: string, text: string, note: () => Promise<void>): Promise<void> {
      const mark = `telling:${name}`;
      const isOpen = (await told.amountOf(mark)) > 0;
      await told.keep(mark, 1);
      try {
        await tell(isOpen ? repeated(text) : text);
      } catch (error) {
        if (!(error instanceof ShowLater && error.mayHaveArrived)) await told.forget(mark);
        throw error;
      }
      await note();
      await told.forget(mark);
    }
  };
