import type { PinterestStandIn } from '../../src/sandbox/pinterest/start.ts';
import type { TestBot } from './bot.ts';
import type { ScriptedPerson } from './person.ts';

export type SignedIn = { status: string; nonce: string; payload: string; state: string };

/**
 * As a browser goes: the button's link, Pinterest's own page, and back with a code. `account` null: the person
 * presses «Отклонить». The handlers of HTTP stand outside of a test's bot, so their functions are asked themselves.
 */
export async function signInAtPinterest(
  bot: Pick<TestBot, 'app'>,
  pinterest: PinterestStandIn,
  person: ScriptedPerson,
  account: string | null,
): Promise<SignedIn> {
  const { consents } = bot.app;
  if (!consents) throw new Error('This bot has no Pinterest');
  const button = person
    .screen()
    ?.reply_markup?.inline_keyboard.flat()
    .find(({ text }) => text === 'Войти в Pinterest');
  const asked = new URL(button?.url ?? '').searchParams;
  const nonce = asked.get('nonce') ?? '';
  const page = await consents.begin(asked.get('user_id') ?? '', nonce);
  const form = new URLSearchParams(new URL(page ?? '').searchParams);
  if (account === null) form.set('reject', '1');
  else {
    form.set('approve', '1');
    form.set('username', account);
  }
  const answer = await fetch(`${pinterest.url}/oauth/`, { method: 'POST', body: form, redirect: 'manual' });
  const back = new URL(answer.headers.get('location') ?? '').searchParams;
  const state = back.get('state') ?? '';
  const { outcome } = await consents.receive({ state, code: back.get('code'), error: back.get('error') });
  return { status: outcome, nonce, payload: `pinterest_auth_${nonce}`, state };
}
