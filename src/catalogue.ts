/** What is sold, in tokens, roubles and Stars. The one table: nothing computes a price elsewhere. */
export const packages = {
  mini: { title: 'Mini', base: 1_000, bonus: 0, rub: 1_000, stars: { base: 65, x4: 260 }, isPlan: false },
  starter: {
    title: 'Starter',
    base: 3_000,
    bonus: 500,
    rub: 3_000,
    stars: { base: 195, x4: 780 },
    isPlan: false,
  },
  pro: { title: 'Pro', base: 6_000, bonus: 1_200, rub: 6_000, stars: { base: 390, x4: 1_560 }, isPlan: true },
  business: {
    title: 'Business',
    base: 15_000,
    bonus: 3_000,
    rub: 15_000,
    stars: { base: 975, x4: 3_900 },
    isPlan: true,
  },
  enterprise: {
    title: 'Enterprise',
    base: 40_000,
    bonus: 10_000,
    rub: 40_000,
    stars: { base: 2_600, x4: 10_400 },
    isPlan: true,
  },
} as const satisfies Record<string, PackageRow>;

type PackageRow = {
  title: string;
  base: number;
  bonus: number;
  rub: number;
  stars: Record<StarsList, number>;
  /** Also sold as a subscription: the same price and tokens, every 30 days. */
  isPlan: boolean;
};

/** `base` sells a Star for 15 roubles, of which the seller gets about 1.2: at that list the models cost more than they bring. */
export type StarsList = 'base' | 'x4';
export type PackageName = keyof typeof packages;

/** What a person is offered, with the prices that hold now. */
export type Offer = {
  name: PackageName;
  title: string;
  tokens: number;
  bonus: number;
  rub: number;
  stars: number;
  isPlan: boolean;
};

const SUBSCRIPTION_DAYS = 30;
export const SUBSCRIPTION_SECONDS = SUBSCRIPTION_DAYS * 24 * 60 * 60;
/** Telegram's own limit for a subscription. */
const MOST_SUBSCRIPTION_STARS = 10_000;
/** Of every payment of somebody who was invited, in tokens per rouble. */
const REFERRAL_SHARE = 0.1;

export const isPackage = (name: string): name is PackageName => Object.hasOwn(packages, name);

/** What people know a package by; a name that is none stays as it is. */
export const packageTitle = (name: string): string => (isPackage(name) ? packages[name].title : name);

export function offerOf(name: PackageName, list: StarsList): Offer {
  const { title, base, bonus, rub, stars, isPlan } = packages[name];
  return { name, title, tokens: base + bonus, bonus, rub, stars: stars[list], isPlan };
}

export const offers = (list: StarsList): Offer[] =>
  (Object.keys(packages) as PackageName[]).map((name) => offerOf(name, list));

/** Telegram takes no subscription above its limit: such a plan is for cards alone. */
export const hasStarsPlan = ({ isPlan, stars }: Pick<Offer, 'isPlan' | 'stars'>): boolean =>
  isPlan && stars <= MOST_SUBSCRIPTION_STARS;

export const referralBonus = (rub: number): number => Math.floor(rub * REFERRAL_SHARE);
