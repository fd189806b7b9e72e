import type { IncomingMessage } from 'node:http';
import { type HttpHandler, readBody, sendJson } from '../http/server.ts';
import { channelMoods, isChannelMood } from './channel-moods.ts';
import type { SandboxShop } from './sandbox-shop.ts';
import type { ShopOverview } from './shop-overview.ts';

type ShopHttpOptions = {
  shop: SandboxShop;
  overview: ShopOverview;
  chartSvg(): Promise<string>;
};

const PREFIX = '/sandbox/api/shop';
const MAX_BODY = 64 * 1024;
const REPEATED = 3;

/** The part of the page that shows the shop in MAX: a customer's chat, the rules, and what the bot noted of it. */
export function shopHttp({ shop, overview, chartSvg }: ShopHttpOptions): HttpHandler {
  return async (request, response, url) => {
    if (url.pathname !== PREFIX && !url.pathname.startsWith(`${PREFIX}/`)) return false;
    const [what = '', who = ''] = url.pathname.slice(PREFIX.length + 1).split('/');
    const userId = Number(who);
    if (request.method === 'GET' && what === 'chart') {
      response.writeHead(200, { 'content-type': 'image/svg+xml; charset=utf-8' }).end(await chartSvg());
      return true;
    }
    if (request.method === 'GET') {
      sendJson(response, 200, what === 'rules' ? await overview.rules() : await seenBy(userId));
      return true;
    }
    const known = shop.customers.some(({ id }) => id === userId);
    const done = known && act(what, userId, await readJson(request));
    if (done) sendJson(response, 200, { ok: true });
    else sendJson(response, 400, { error: 'Такого покупателя или действия нет' });
    return true;
  };

  async function seenBy(userId: number) {
    const chatId = shop.chatIdOf(userId);
    return {
      customers: shop.customers,
      moods: channelMoods.map(({ id, title }) => ({ id, title })),
      mood: shop.mood(userId),
      repeats: shop.repeats() > 1,
      messages: shop.chat(userId),
      operators: shop.operatorLines(),
      ...(await overview.chat(chatId === null ? null : String(chatId))),
    };
  }

  function act(what: string, userId: number, body: Record<string, unknown>): boolean {
    switch (what) {
      case 'say':
        if (typeof body.text !== 'string' || body.text.trim() === '') return false;
        shop.say(userId, body.text);
        return true;
      case 'press':
        shop.press(userId, String(body.mid), String(body.payload));
        return true;
      case 'photo':
        shop.photo(userId, String(body.url ?? ''));
        return true;
      case 'mood':
        if (!isChannelMood(body.mood)) return false;
        shop.setMood(userId, body.mood);
        return true;
      case 'repeats':
        shop.setRepeats(body.on === true ? REPEATED : 1);
        return true;
      default:
        return false;
    }
  }
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const body = (await readBody(request, MAX_BODY)).toString();
  return body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
}
