import type { KeyValueStore } from '../../engine/key-value-store.ts';

/** Something that the owner should know of while its amount is above its limit. */
export type Condition<Kind extends string> = {
  kind: Kind;
  amount: number;
  /** Where several of one kind can be at once, such as disks of machines. */
  of?: string;
};

export type ConditionTexts<Kind extends string> = Readonly<
  Record<Kind, { grave(amount: number, of: string): string; over(of: string): string }>
>;

type Deps<Kind extends string> = {
  /** What was told and is not over yet. */
  told: Pick<KeyValueStore, 'get' | 'set' | 'delete'>;
  limits: Readonly<Record<Kind, number>>;
  texts: ConditionTexts<Kind>;
  tell(text: string): Promise<void>;
};

/** A flood of a thousand makes ten messages, not a thousand. */
const MUCH_MORE = 2;
const MONTH_SECONDS = 30 * 86_400;

/**
 * Tells what is above its limit: once, again when it has doubled, and when it is over. One caller at a time. Noted only
 * behind the telling: after a crash in between a message may come twice, none is lost.
 */
export const makeReportConditions =
  <Kind extends string>({ told, limits, texts, tell }: Deps<Kind>) =>
  async (found: readonly Condition<Kind>[]): Promise<void> => {
    for (const { kind, amount, of = '' } of found) {
      const key = `owner-alert:${kind}:${of}`;
      const before = Number((await told.get(key)) ?? 0);
      if (amount > limits[kind] && (before === 0 || amount >= before * MUCH_MORE)) {
        await tell(texts[kind].grave(amount, of));
        await told.set(key, String(amount), MONTH_SECONDS);
      } else if (before > 0 && amount <= limits[kind] / 2) {
        // Well below the limit: what wavers around it would be told at every wave.
        await tell(texts[kind].over(of));
        await told.delete(key);
      }
    }
  };
