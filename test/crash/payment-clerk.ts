/** A process that moves money and kills itself with SIGKILL at the given place: it closes and rolls back nothing. */
import { offerOf } from '../../src/catalogue.ts';
import { openDatabase } from '../../src/store/database.ts';
import { type Around, cashDesk } from '../support/cashier.ts';

export type Place = 'before the provider' | 'after the provider' | 'before the commit' | 'after the commit';
export type Work =
  | { do: 'order'; key: string; userId: number }
  | { do: 'notice'; id: string }
  | { do: 'refund' | 'refund of stars' | 'renew'; paymentId: number }
  | { do: 'stars'; userId: number; chargeId: string };
export type Errand = { databaseUrl: string; providerUrl: string; place: Place; work: Work };

type Desk = Pick<ReturnType<typeof cashDesk>, 'cards' | 'stars' | 'payments'>;

export async function carryOut(work: Work, { cards, stars, payments }: Desk): Promise<void> {
  if (work.do === 'order')
    await cards.begin({ ...work, offer: offerOf('mini', 'x4'), isSubscription: false });
  else if (work.do === 'notice') await cards.heard({ event: 'payment.succeeded', id: work.id });
  else if (work.do === 'stars')
    await stars.paid({
      ...{ userId: work.userId, chargeId: work.chargeId, currency: 'XTR', amount: 260, renewal: null },
      payload: `purchase:mini:user_${work.userId}`,
    });
  else {
    const row = (await payments.byId(work.paymentId))!;
    const deeds = { refund: cards.giveBack, 'refund of stars': stars.giveBack, renew: cards.renew };
    await deeds[work.do](row);
  }
}

if (process.env.ERRAND) {
  const { databaseUrl, providerUrl, place, work } = JSON.parse(process.env.ERRAND) as Errand;
  const dieIf = (here: Place) => {
    if (here === place) process.kill(process.pid, 'SIGKILL');
  };
  const watched =
    <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      dieIf('before the provider');
      const answer = await call(...args);
      dieIf('after the provider');
      return answer;
    };
  const around: Around = {
    api: (api) => ({ ...api, create: watched(api.create), giveBack: watched(api.giveBack) }),
    starsApi: (api) => ({ ...api, refund: watched(api.refund) }),
    beforeCommit: () => dieIf('before the commit'),
    afterCommit: () => dieIf('after the commit'),
  };
  const { sql } = await openDatabase({ url: databaseUrl, dataDir: '', max: 2 });
  await carryOut(work, cashDesk(sql, providerUrl, around));
  process.exit(3); // the place was never reached
}
