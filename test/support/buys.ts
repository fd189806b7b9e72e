import { expect } from 'vitest';
import type { TestBot } from './bot.ts';
import type { ScriptedPerson } from './person.ts';

/** The newest bill in the person's chat. */
export async function billIn(person: ScriptedPerson): Promise<number> {
  await expect.poll(() => latestBill(person)).toBeDefined();
  return latestBill(person)!;
}

const latestBill = (person: ScriptedPerson): number | undefined =>
  person.messages().findLast(({ invoice }) => invoice)?.message_id;

/** Asks for a bill, from wherever they are. */
export async function billed(person: ScriptedPerson, pkg: string): Promise<number> {
  const before = latestBill(person);
  await person.forges(`tariff:${pkg}:stars`);
  await person.sees('Счёт ниже');
  await expect.poll(() => latestBill(person)).not.toBe(before);
  return billIn(person);
}

/** Buys a package for Stars, and sees that it is there. */
export async function buys({ telegram }: TestBot, person: ScriptedPerson, pkg: string): Promise<void> {
  await telegram.people.pay(person.id, await billed(person, pkg)).answer();
  await person.sees(/Пакет .* оплачен/);
}

/** Buys in the middle of something, and returns to it (E51). */
export async function buysAndGoesOn(bot: TestBot, person: ScriptedPerson, pkg: string): Promise<void> {
  await buys(bot, person, pkg);
  await person.presses(/^Продолжить/);
}
