import type { Log } from '../../log.ts';
import type { Screen } from '../../screens/kit/screen.ts';
import type { Away, Digest, LowBalance, Notices } from '../../store/notices.ts';
import type { Subject, TellPerson } from './tell-person.ts';
import { weekOf } from './week-of.ts';

export const noticeTypes = ['low_balance', 'weekly_digest', 'reactivation'] as const;
export type NoticeType = (typeof noticeTypes)[number];

export type Notified = { type: NoticeType; sent: number; failed: number };

/** Without articles of their own, what one usually costs. */
const USUAL_ARTICLE = 320;
const BATCH = 200;
/** A run that met this many batches leaves the rest to the next one: something is wrong then. */
const MOST_BATCHES = 1_000;

/** What is said, in the words of the screens. */
type NoticeTexts = {
  lowBalance(balance: LowBalance['balance'], articlePrice: number): Screen;
  digest(week: Omit<Digest, 'userId'>): Screen;
  away(balance: Away['balance']): Screen;
};

type Deps = { notices: Notices; texts: NoticeTexts; tell: TellPerson; log: Log; now: () => Date };
type Push = { userId: number; about: Subject; screen: Screen };

/**
 * Unprompted notices: each person is selected once, then told. One who cannot be told now is not tried again: a
 * reminder is worth less than a second one costs.
 */
export const makeNotifyPeople =
  ({ notices, texts, tell, log, now }: Deps) =>
  async (type: NoticeType): Promise<Notified> => {
    const result: Notified = { type, sent: 0, failed: 0 };
    for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
      const pushes = await pick(type);
      for (const push of pushes) {
        const isTold = (await tell(push).catch(logged(push))) === 'told';
        result[isTold ? 'sent' : 'failed'] += 1;
      }
      if (pushes.length < BATCH) break;
    }
    log.info(result, 'people were notified');
    return result;

    function logged({ userId }: Push) {
      return (err: unknown) => {
        log.warn({ err, user: userId, type }, 'a notice was not told');
        return null;
      };
    }

    async function pick(kind: NoticeType): Promise<Push[]> {
      switch (kind) {
        case 'low_balance':
          return (await notices.lowBalances(BATCH)).map(({ userId, balance, averageArticle }) => ({
            ...{ userId, about: 'balance' },
            screen: texts.lowBalance(balance, averageArticle ?? USUAL_ARTICLE),
          }));
        case 'weekly_digest':
          return (await notices.digests(weekOf(now()), BATCH)).map(({ userId, ...week }) => ({
            ...{ userId, about: 'news' },
            screen: texts.digest(week),
          }));
        case 'reactivation':
          return (await notices.away(BATCH)).map(({ userId, balance }) => ({
            ...{ userId, about: 'news' },
            screen: texts.away(balance),
          }));
      }
    }
  };
