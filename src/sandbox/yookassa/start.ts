import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type HttpHandler, readBody, sendJson } from '../../http/server.ts';
import { openJournal } from '../journal.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';
import { PAGE_HEADERS, payPage } from './pay-page.ts';
import { createShop, type SavedCard, type Shop, type ShopPayment, type ShopRefund } from './shop.ts';

type YooKassaStandIn = StandIn & {
  shop: Shop;
  /** Where notices go: the webhook of the shop's cabinet. Null: nowhere. */
  setWebhook(url: string | null): void;
  /** Sends the notice of a payment or a refund again, or early. */
  tell(event: string, object: object): Promise<number | null>;
};

type Options = { shopId: string; secretKey: string; port?: number; journal?: string };

const MAX_BODY = 64 * 1024;
const TRIES = 20;
const PAUSE_MS = 300;

/** YooKassa on loopback: the calls of its API, its payment page, its notices. */
export async function startYooKassaStandIn({
  shopId,
  secretKey,
  port = 0,
  journal: file,
}: Options): Promise<YooKassaStandIn> {
  const journal = openJournal(file);
  const shop = createShop(journal, { shopId });
  const basic = `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}`;
  let webhook: string | null = null;
  let isClosed = false;
  const standIn = await startStandIn({
    name: 'yookassa',
    port,
    handle,
    control,
    refusal: (status) => error(status, 'internal_server_error', 'stand-in was told to fail'),
  });
  return { ...standIn, shop, setWebhook, tell, close };

  async function close(): Promise<void> {
    isClosed = true;
    await standIn.close();
    journal.close();
  }

  function setWebhook(url: string | null): void {
    webhook = url;
  }

  async function handle(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    if (!url.pathname.startsWith('/v3/')) return false;
    const body = await readBody(request, MAX_BODY);
    if (request.headers.authorization !== basic)
      return refuse(401, 'invalid_credentials', 'Wrong shop or key');
    const [what, id] = url.pathname.slice('/v3/'.length).split('/');
    if (request.method === 'GET')
      return found(what === 'payments' ? shop.payments.get(id ?? '') : shop.refunds.get(id ?? ''));
    const key = request.headers['idempotence-key'];
    if (typeof key !== 'string' || key.length > 64)
      return refuse(400, 'invalid_request', 'Idempotence-Key is required');
    return created(key, body.toString());

    function created(key: string, asked: string): true {
      const known = shop.answers.get(key);
      if (known && known.asked !== asked) return refuse(400, 'invalid_request', 'Idempotence key duplicated');
      if (known) return found(shop.payments.get(known.id) ?? shop.refunds.get(known.id));
      const json = JSON.parse(asked) as Record<string, unknown>;
      const made = what === 'payments' ? pay(json) : giveBack(json);
      if (!made) return refuse(400, 'invalid_request', 'Nothing to give back');
      shop.answers.put(key, { asked, id: made.id });
      return found(made);
    }

    function found(object: ShopPayment | ShopRefund | undefined): true {
      if (!object) return refuse(404, 'not_found', 'No such object');
      sendJson(response, 200, onTheWire(object));
      return true;
    }

    function refuse(status: number, code: string, description: string): true {
      sendJson(response, status, error(status, code, description));
      return true;
    }
  }

  function pay(json: Record<string, unknown>): ShopPayment {
    const made = shop.create(json, standIn.url);
    if (made.status !== 'pending') void tellUntilHeard(`payment.${made.status}`, made);
    return made;
  }

  function giveBack(json: Record<string, unknown>): ShopRefund | null {
    const made = shop.payments.get(String(json.payment_id));
    const amount = json.amount as ShopRefund['amount'];
    if (made?.status !== 'succeeded') return null;
    if (Number(made.refunded_amount.value) + Number(amount.value) > Number(made.amount.value)) return null;
    const given = shop.refund(made, amount);
    void tellUntilHeard('refund.succeeded', given);
    return given;
  }

  /** The page of the payer, and what only a test or a curious person does. */
  async function control(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    const id = /^\/pay\/([\w-]+)$/u.exec(url.pathname)?.[1];
    const made = id === undefined ? undefined : shop.payments.get(id);
    if (made) {
      if (request.method === 'POST') await decided(made.id, request);
      response.writeHead(200, PAGE_HEADERS).end(payPage(shop.payments.get(made.id)!));
      return true;
    }
    const card = /^\/__cards\/([\w-]+)$/u.exec(url.pathname)?.[1];
    if (card === undefined || request.method !== 'POST') return false;
    const { mood } = JSON.parse((await readBody(request, MAX_BODY)).toString()) as Pick<SavedCard, 'mood'>;
    const known = shop.cards.get(card);
    if (known) shop.cards.put(card, { ...known, mood });
    sendJson(response, known ? 200 : 404, { card, mood });
    return true;
  }

  async function decided(id: string, request: IncomingMessage): Promise<void> {
    const form = new URLSearchParams((await readBody(request, MAX_BODY)).toString());
    const after = shop.decide(id, form.get('do') === 'pay' ? 'pay' : 'decline');
    if (after) void tellUntilHeard(`payment.${after.status}`, after);
  }

  /** YooKassa repeats for a day; here a few seconds are enough to see it. */
  async function tellUntilHeard(event: string, object: ShopPayment | ShopRefund): Promise<void> {
    for (let tries = 0; tries < TRIES && !isClosed; tries += 1) {
      if ((await tell(event, onTheWire(object))) === 200) return;
      await delay(PAUSE_MS * (tries + 1), undefined, { ref: false });
    }
  }

  async function tell(event: string, object: object): Promise<number | null> {
    if (webhook === null) return null;
    try {
      const answer = await fetch(webhook, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'notification', event, object }),
      });
      return answer.status;
    } catch {
      return null; // unreachable: repeated later
    }
  }
}

function onTheWire(object: ShopPayment | ShopRefund): object {
  if (!('wish' in object)) return object;
  const { wish, ...shown } = object;
  return shown;
}

const error = (status: number, code: string, description: string) => ({
  type: 'error',
  id: `stand-in-${status}`,
  code,
  description,
});
