import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { type HttpHandler, sendJson } from '../http/server.ts';
import type { ShownPost } from './channel-posts.ts';
import { isFromAnotherSite } from './stand-in.ts';
import { peopleHttp } from './telegram/people-http.ts';
import type { TelegramStandIn } from './telegram/start.ts';
import type { Message } from './telegram/wire.ts';

export type LiveState = {
  flow: string;
  title: string;
  state: string;
  version: number;
  busy: boolean;
  context: unknown;
};

/** What a publisher has received. Each one becomes a tab of the page. */
export type ArrivalPanel = {
  id: string;
  title: string;
  /** What one needs to know to publish there. */
  facts?: { name: string; value: string; url?: string }[];
  /** Stands there until something has arrived. */
  empty: string;
  items: { at: string; title: string; text?: string; url?: string; image?: string }[];
  /** Of a messenger: the posts as its readers see them. */
  posts?: readonly ShownPost[];
  /** What the person can do there. */
  deed?: { label: string };
};

type SandboxPageOptions = {
  telegram: TelegramStandIn;
  liveState(userId: number): Promise<LiveState | null>;
  chartSvg(flow: string): Promise<string | null>;
  flows: readonly { id: string; title: string }[];
  arrivals?(userId: number): Promise<ArrivalPanel[]>;
  /** The deed of a panel was pressed. */
  act?(userId: number, panel: string): void;
  /** Lets the bot forget too, when a chat (null: everything) is reset: otherwise it would answer from the middle. */
  onReset?(userId: number | null): Promise<void>;
  /** When everything was reset: what stands here from the start is put back. */
  afterReset?(): void;
  /** Answers what the page asks about autoposting; without it the page does not speak of it. */
  autopost?: HttpHandler;
  /** The same for the shop in MAX. */
  shop?: HttpHandler | null;
};

const FOLDER = new URL('./page/', import.meta.url);
const MIME: Record<string, string> = { html: 'text/html', css: 'text/css', js: 'text/javascript' };
const HEARTBEAT_MS = 15_000;
const MESSAGES_SHOWN = 300;

// Inline styles are the chart's: its SVG carries them. Scripts come from our files alone.
const CONTENT_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob: http: https:; frame-ancestors 'self'";

/** The page at `/`: a chat with the bot for people who have no bot yet, and the chart of the flow they are in. */
export function sandboxPage(options: SandboxPageOptions): HttpHandler {
  const { telegram } = options;
  const people = peopleHttp(telegram, '/sandbox/api/people');
  const titles = new Map(options.flows.map(({ id, title }) => [id, title]));

  return async (request, response, url) => {
    if (url.pathname !== '/' && !url.pathname.startsWith('/sandbox/')) return false;
    if (isFromAnotherSite(request)) {
      sendJson(response, 403, { error: 'requests from other sites are refused' });
      return true;
    }
    if (url.pathname === '/') return serveFile(response, 'index.html');
    const file = /^\/sandbox\/([a-z-]+\.(?:js|css))$/.exec(url.pathname)?.[1];
    if (file) return serveFile(response, file);
    if (url.pathname === '/sandbox/events') return streamChanges(response);
    const reset = /^\/sandbox\/api\/people\/(?:(\d+)\/)?reset$/.exec(url.pathname);
    if (reset && request.method === 'POST') await options.onReset?.(reset[1] ? Number(reset[1]) : null);
    const answered = (await answerApi(request, response, url)) || (await people(request, response, url));
    if (answered && reset && !reset[1]) options.afterReset?.();
    return answered;
  };

  async function answerApi(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    const [what, argument, deed] = url.pathname.slice('/sandbox/api/'.length).split('/');
    switch (what) {
      case 'status':
        sendJson(response, 200, telegram.status());
        return true;
      case 'chats':
        sendJson(response, 200, telegram.people.list().map(chatSummary));
        return true;
      case 'chat':
        sendJson(response, 200, chat(Number(argument)));
        return true;
      case 'live':
        sendJson(response, 200, await options.liveState(Number(argument)));
        return true;
      case 'charts': {
        if (!argument) {
          sendJson(response, 200, options.flows);
          return true;
        }
        const svg = titles.has(argument) ? await options.chartSvg(argument) : null;
        if (svg === null) sendJson(response, 404, { error: `no chart of ${argument}` });
        else response.writeHead(200, { 'content-type': 'image/svg+xml; charset=utf-8' }).end(svg);
        return true;
      }
      case 'arrivals':
        if (request.method === 'POST') options.act?.(Number(argument), deed ?? '');
        sendJson(response, 200, (await options.arrivals?.(Number(argument))) ?? []);
        return true;
      case 'autopost':
        if (options.autopost) return options.autopost(request, response, url);
        sendJson(response, 200, null);
        return true;
      case 'shop':
        if (options.shop) return options.shop(request, response, url);
        sendJson(response, 200, null);
        return true;
      default:
        return false;
    }
  }

  function chatSummary(person: ReturnType<TelegramStandIn['people']['list']>[number]) {
    const messages = telegram.people.messages(person.id);
    const fromBot = messages.filter(({ from }) => from?.is_bot).slice(-99);
    return {
      person,
      last: messages.at(-1) ?? null,
      purse: telegram.people.purse(person.id),
      botMessageIds: fromBot.map(({ message_id }) => message_id),
    };
  }

  function chat(id: number) {
    const unheard = telegram.pendingUpdates().flatMap(({ message }) => (message ? [message.message_id] : []));
    const person = telegram.people.list().find((one) => one.id === id) ?? null;
    const messages: Message[] = telegram.people.messages(id).slice(-MESSAGES_SHOWN);
    return { person, messages, keyboard: telegram.people.keyboard(id), unheard };
  }

  function streamChanges(response: ServerResponse): true {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    response.write('retry: 1000\n\n');
    const unsubscribe = telegram.subscribe((change) => response.write(`data: ${JSON.stringify(change)}\n\n`));
    const heartbeat = setInterval(() => response.write(': still here\n\n'), HEARTBEAT_MS);
    response.once('close', () => {
      clearInterval(heartbeat);
      unsubscribe();
    });
    return true;
  }
}

async function serveFile(response: ServerResponse, name: string): Promise<boolean> {
  let content: Buffer;
  try {
    content = await readFile(new URL(name, FOLDER));
  } catch {
    return false; // there is no such file: the next handler may know the address
  }
  response
    .writeHead(200, {
      'content-type': `${MIME[name.split('.').at(-1)!]}; charset=utf-8`,
      'cache-control': 'no-cache',
      'content-security-policy': CONTENT_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    .end(content);
  return true;
}
