import type { IncomingMessage } from 'node:http';
import { type HttpHandler, readBody, sendJson } from '../../http/server.ts';
import type { SentFile } from './call-params.ts';
import { CannotAct } from './cannot-act.ts';
import type { NewBot, NewChannel } from './channels.ts';
import type { NewPerson } from './people.ts';
import type { TelegramStandIn } from './start.ts';

type PeopleHttpSource = Pick<
  TelegramStandIn,
  'people' | 'channels' | 'calls' | 'pendingUpdates' | 'status' | 'file'
>;

type Body = Record<string, unknown>;

const MAX_BODY = 52 * 1024 * 1024;
const MAX_WAIT_MS = 30_000;

/** Acting as people over HTTP: for tests in another process, and for the page. See the table of routes below. */
export function peopleHttp(telegram: PeopleHttpSource, prefix: string): HttpHandler {
  const { people } = telegram;
  return async (request, response, url) => {
    if (url.pathname !== prefix && !url.pathname.startsWith(`${prefix}/`)) return false;
    const [first, verb, ...rest] = url.pathname.slice(prefix.length + 1).split('/');
    try {
      if (verb === 'file') {
        const file = telegram.file(rest.join('/'));
        if (!file) return notFound();
        response.writeHead(200, fileHeaders(file)).end(file.bytes);
        return true;
      }
      const result = /^-?\d+$/.test(first!)
        ? await ofPerson(Number(first), verb ?? '', request, url)
        : await general(first!, request);
      if (result === undefined) return notFound();
      sendJson(response, 200, result);
    } catch (error) {
      if (!(error instanceof CannotAct) && !(error instanceof SyntaxError)) throw error;
      sendJson(response, 400, { error: error.message });
    }
    return true;

    function notFound(): true {
      sendJson(response, 404, { error: 'not found' });
      return true;
    }
  };

  async function general(what: string, request: IncomingMessage): Promise<unknown> {
    switch (`${request.method} ${what}`) {
      case 'GET ':
        return people.list();
      case 'POST ':
        return people.add((await json(request)) as NewPerson);
      case 'GET calls':
        return telegram.calls();
      case 'GET updates':
        return telegram.pendingUpdates();
      case 'GET status':
        return telegram.status();
      case 'POST update':
        return people.inject(await json(request));
      case 'GET channels':
        return telegram.channels.list();
      case 'POST channels':
        return telegram.channels.add((await json(request)) as NewChannel);
      case 'GET bots':
        return telegram.channels.bots();
      case 'POST bots':
        return telegram.channels.addBot((await json(request)) as NewBot);
      case 'POST reset':
        people.resetAll();
        return { ok: true };
      default:
        return undefined;
    }
  }

  async function ofPerson(id: number, verb: string, request: IncomingMessage, url: URL): Promise<unknown> {
    switch (`${request.method} ${verb}`) {
      case 'GET ':
        return people.get(id);
      case 'GET messages':
        return { messages: people.messages(id), keyboard: people.keyboard(id) };
      case 'POST say':
        return say(id, await json(request));
      case 'POST start':
        return people.start(id, (await json(request)).payload as string | undefined);
      case 'POST press':
        return press(id, await json(request));
      case 'POST document':
        return people.document(id, await file(request, url), ...captionAndGroup(url));
      case 'POST photo':
        return people.photo(id, await file(request, url), ...captionAndGroup(url));
      case 'POST sticker':
        return people.sticker(id, (await json(request)).emoji as string | undefined);
      case 'POST voice':
        return people.voice(id);
      case 'POST video':
        return people.video(id);
      case 'POST location': {
        const { latitude, longitude } = await json(request);
        return people.location(id, latitude as number | undefined, longitude as number | undefined);
      }
      case 'POST contact':
        return people.contact(id, (await json(request)).phone_number as string | undefined);
      case 'POST pay': {
        const { bill } = await json(request);
        const { answer, ...asked } = people.pay(id, bill as number | string);
        return { ...asked, answer: await answer() };
      }
      case 'POST share': {
        const { request_id, chat_id } = await json(request);
        return people.shareChat(id, Number(request_id), Number(chat_id));
      }
      case 'GET purse':
        return { stars: people.purse(id) };
      case 'POST purse':
        people.fillPurse(id, Number((await json(request)).stars));
        return { stars: people.purse(id) };
      case 'GET charges':
        return people.charges(id);
      case 'POST renew':
        return people.renew(id, String((await json(request)).charge_id));
      case 'POST unsubscribe':
        people.cancelSubscription(id, String((await json(request)).charge_id));
        return { ok: true };
      case 'POST block':
        return people.block(id);
      case 'POST unblock':
        return people.unblock(id);
      case 'POST reset':
        people.reset(id);
        return { ok: true };
      default:
        return undefined;
    }
  }

  function say(id: number, { text = '', formatted }: Body) {
    return people.say(id, String(text), { formatted: formatted === true });
  }

  /** With `wait` (milliseconds) the bot's answer to the press comes back too; null when it did not answer. */
  async function press(id: number, body: Body): Promise<unknown> {
    const pressed = people.press(id, Number(body.message_id), String(body.data), {
      forge: body.forge === true,
    });
    const { update_id, query_id } = pressed;
    const wait = Math.min(Number(body.wait) || 0, MAX_WAIT_MS);
    return { update_id, query_id, ...(wait > 0 && { answer: await pressed.answer(wait) }) };
  }
}

const captionAndGroup = ({ searchParams }: URL) =>
  [searchParams.get('caption') ?? undefined, searchParams.get('group') ?? undefined] as const;

async function json(request: IncomingMessage): Promise<Body> {
  const body = (await readBody(request, MAX_BODY)).toString();
  const parsed: unknown = body === '' ? {} : JSON.parse(body);
  if (typeof parsed !== 'object' || parsed === null) throw new CannotAct('Expected a JSON object');
  return parsed as Body;
}

async function file(request: IncomingMessage, url: URL): Promise<SentFile> {
  const bytes = await readBody(request, MAX_BODY);
  if (bytes.length === 0) throw new CannotAct('Expected the bytes of a file, got none');
  const mime = request.headers['content-type'] ?? 'application/octet-stream';
  return { name: url.searchParams.get('name') ?? 'file.dat', mime, bytes };
}

/** Pictures are shown; anything else is only ever downloaded, so that a file cannot run as a page of ours. */
function fileHeaders({ name, mime }: SentFile): Record<string, string> {
  const shown = /^image\/(png|jpeg|webp|gif)$/.test(mime);
  return {
    'content-type': shown ? mime : 'application/octet-stream',
    'content-disposition': `${shown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(name)}`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  };
}
