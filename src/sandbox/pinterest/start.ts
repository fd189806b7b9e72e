import { type HttpHandler, readBody, sendJson } from '../../http/server.ts';
import { openJournal } from '../journal.ts';
import { openKeptFiles } from '../kept-files.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';
import { createPinterestApi, type PinterestApp } from './api.ts';
import { consent, consentPage, pinterestPage, type Shown } from './site.ts';
import { openPinterestWorld, type PinterestWorld } from './world.ts';

type PinterestStandInOptions = {
  port?: number;
  /** A file; with it accounts, boards, tokens and pins survive the end of the process. */
  journal?: string;
  app?: PinterestApp;
  now?: () => number;
};

export type PinterestStandIn = StandIn & { readonly world: PinterestWorld; readonly app: PinterestApp };

/** What can be changed from another process: `POST /__pinterest` with any of these. */
type Order = {
  account?: string;
  board?: { owner: string; name: string };
  removeBoard?: string;
  revoke?: string;
  settings?: Parameters<PinterestWorld['change']>[0];
};

const MAX_BODY = 64 * 1024;
const HTML = { 'content-type': 'text/html; charset=utf-8' };
/** Visibly not a secret: it opens nothing but the stand-in on this machine. */
const APP: PinterestApp = { appId: '1000001', appSecret: 'sandbox-secret-of-no-value' };

/** Pinterest on loopback: the API under `/v5`, the consent page at `/oauth/`, pins and boards as people see them. */
export async function startPinterestStandIn(
  options: PinterestStandInOptions = {},
): Promise<PinterestStandIn> {
  const { port = 0, app = APP, now = Date.now } = options;
  const journal = openJournal(options.journal);
  const files = openKeptFiles(options.journal);
  const world = openPinterestWorld(journal, now);
  const api = createPinterestApi({ world, files, app });
  const standIn = await startStandIn({
    name: 'pinterest',
    port,
    handle: async (...args) => (await api(...args)) || site(...args),
    control,
    refusal: (status) => ({ code: refusalCodes[status] ?? 1, message: `Told to answer ${status}` }),
  });
  return { ...standIn, world, app, close };

  async function site(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    if (url.pathname === '/oauth/') {
      const isAnswer = request.method === 'POST';
      const form = isAnswer ? new URLSearchParams((await readBody(request, MAX_BODY)).toString()) : null;
      show(form ? consent(world, form) : consentPage(world, url.searchParams, app.appId));
      return true;
    }
    const pin = /^\/pin-image\/(\d+)$/u.exec(url.pathname)?.[1];
    const bytes = pin ? files.get(`pin-${pin}`) : null;
    if (bytes) {
      response.writeHead(200, { 'content-type': world.pin(pin ?? '')?.mime ?? 'image/jpeg' }).end(bytes);
      return true;
    }
    const html = pinterestPage(world, url.pathname);
    if (html !== null) show({ html });
    return html !== null;

    function show(shown: Shown): void {
      if ('html' in shown) response.writeHead(200, HTML).end(shown.html);
      else response.writeHead(302, { location: shown.redirect }).end();
    }
  }

  async function control(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    if (url.pathname === '/__arrivals') {
      sendJson(response, 200, { pins: world.pins(url.searchParams.get('board_id') ?? undefined) });
      return true;
    }
    if (url.pathname !== '/__pinterest' || request.method !== 'POST') return false;
    const order: Order = JSON.parse((await readBody(request, MAX_BODY)).toString());
    if (order.account) world.addAccount({ username: order.account, accountType: 'BUSINESS' });
    const board = order.board ? world.addBoard(order.board) : null;
    if (order.removeBoard) world.removeBoard(order.removeBoard);
    if (order.revoke) world.revoke(order.revoke);
    if (order.settings) world.change(order.settings);
    sendJson(response, 200, { ok: true, board });
    return true;
  }

  async function close(): Promise<void> {
    await standIn.close();
    journal.close();
  }
}

const refusalCodes: Readonly<Record<number, number>> = { 401: 2, 403: 29, 404: 40, 429: 8 };
