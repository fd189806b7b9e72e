import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpHandler, sendJson } from '../http/server.ts';

export type Fault =
  /** Refused: the request is not handled. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: unknown;
      readonly retryAfter?: number;
    }
  /** Not handled, and never answered until the faults are cleared or the stand-in is closed. */
  | { readonly kind: 'hang' }
  /** The connection is reset before the request is handled. */
  | { readonly kind: 'reset' }
  /** The request IS handled, then the connection is dropped: the lost answer. */
  | { readonly kind: 'reset-after' }
  /** The request IS handled, and the answer never comes: the lost answer as a client with a time limit meets it. */
  | { readonly kind: 'hang-after' }
  | { readonly kind: 'slow'; readonly ms: number }
  /** Handled; 200 with a body that is no JSON. */
  | { readonly kind: 'malformed' }
  /** Handled; the true answer breaks off in the middle. */
  | { readonly kind: 'truncated' };

export type FaultRule = {
  /** A bare word (`sendMessage`) matches as a whole word, anything else as a regular expression, on "METHOD path". */
  readonly match: string;
  /** Only in this chat of a messenger, which learns from a request itself which chat it is about. */
  readonly chat?: string;
  /** How many requests it strikes, 1 unless said. `Infinity`, which JSON spells `null`, is every one. */
  readonly times?: number | null;
  readonly fault: Fault;
  /** In force from the moment this one is used up: what comes before it does not count. */
  readonly next?: readonly FaultRule[];
};

/** How the service a stand-in plays words its own refusals. */
export type RefusalBody = (status: number, retryAfter: number | undefined) => unknown;

export type Faults = ReturnType<typeof createFaults>;

const FAULT_KINDS: readonly string[] = [
  'status',
  'hang',
  'reset',
  'reset-after',
  'hang-after',
  'slow',
  'malformed',
  'truncated',
] satisfies Fault['kind'][];

type Rule = Pick<FaultRule, 'match' | 'fault' | 'next'> & {
  readonly pattern: RegExp;
  readonly chat: string | undefined;
  left: number;
};

export function createFaults() {
  let rules: Rule[] = [];
  const hanging = new Set<ServerResponse>();
  return { add, list, clear, forgive, take, hold };

  function add(rule: FaultRule): void {
    check(rule);
    const source = /^\w+$/.test(rule.match) ? `\\b${rule.match}\\b` : rule.match;
    const left = rule.times === null ? Number.POSITIVE_INFINITY : (rule.times ?? 1);
    const pattern = new RegExp(source, 'i');
    rules.push({ ...rule, pattern, chat: rule.chat, left });
  }

  function list(): FaultRule[] {
    return rules.map(({ match, chat, left, fault, next }) => ({
      match,
      ...(chat !== undefined && { chat }),
      times: left,
      fault,
      ...(next && { next }),
    }));
  }

  function clear(): void {
    rules = [];
    for (const response of hanging) response.destroy();
    hanging.clear();
  }

  function forgive(chat: string): void {
    rules = rules.filter((rule) => rule.chat !== chat);
  }

  /** The oldest rule that fits the request, used up by one. Rules of a chat are taken when its name is known. */
  function take(method: string, path: string, chat?: string): Fault | null {
    const rule = rules.find((one) => one.chat === chat && one.pattern.test(`${method} ${path}`));
    if (!rule) return null;
    rule.left -= 1;
    if (rule.left > 0) return rule.fault;
    rules = rules.filter((one) => one !== rule);
    for (const follower of rule.next ?? []) add(follower);
    return rule.fault;
  }

  function hold(response: ServerResponse): void {
    hanging.add(response);
    response.once('close', () => hanging.delete(response));
  }
}

/** With all that are to follow it. */
function check({ fault, next = [] }: FaultRule): void {
  if (!FAULT_KINDS.includes(fault?.kind))
    throw new TypeError(`Expected a fault of kind ${FAULT_KINDS.join(', ')}, got ${JSON.stringify(fault)}`);
  for (const follower of next) check(follower);
}

/** Handles the request as the fault has it; with no fault, plainly. */
export async function strike(
  fault: Fault | null,
  request: IncomingMessage,
  response: ServerResponse,
  { faults, refusal, handle }: { faults: Faults; refusal: RefusalBody; handle: () => Promise<boolean> },
): Promise<boolean> {
  switch (fault?.kind) {
    case undefined:
      return handle();
    case 'status': {
      if (fault.retryAfter !== undefined) response.setHeader('retry-after', String(fault.retryAfter));
      request.resume();
      sendJson(response, fault.status, fault.body ?? refusal(fault.status, fault.retryAfter));
      return true;
    }
    case 'hang':
      faults.hold(response);
      return true;
    case 'reset':
      request.socket.resetAndDestroy();
      return true;
    case 'slow':
      await sleep(fault.ms);
      return handle();
    case 'reset-after':
      onAnswer(response, () => request.socket.resetAndDestroy());
      return handle();
    case 'hang-after':
      onAnswer(response, () => faults.hold(response));
      return handle();
    case 'malformed':
      onAnswer(response, ({ finish }) => finish(200, { 'content-type': 'application/json' }, '{"ok":tru'));
      return handle();
    case 'truncated':
      onAnswer(response, ({ status, headers, body, breakOff }) => {
        breakOff(status, { ...headers, 'content-length': body.length }, body.subarray(0, body.length / 2));
      });
      return handle();
    default: {
      const never: never = fault;
      throw new TypeError(`Unknown fault ${JSON.stringify(never)}`);
    }
  }
}

export type StrikeInChat = ReturnType<typeof makeStrikeInChat>;

/** For a messenger: whatever a chat was told to do to the requests that name it. */
export function makeStrikeInChat(faults: Faults, refusal: RefusalBody) {
  return (
    chat: unknown,
    [request, response, url]: Parameters<HttpHandler>,
    handle: () => Promise<boolean>,
  ): Promise<boolean> => {
    const named = chat === undefined || chat === null ? null : String(chat);
    const fault = named === null ? null : faults.take(request.method ?? 'GET', url.pathname, named);
    return strike(fault, request, response, { faults, refusal, handle });
  };
}

type Answer = {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
  finish(status: number, headers: OutgoingHttpHeaders, body: string): void;
  breakOff(status: number, headers: OutgoingHttpHeaders, body: Buffer): void;
};

/** Lets the handler answer into a buffer, and gives what it said to `then` instead of to the client. */
function onAnswer(response: ServerResponse, then: (answer: Answer) => void): void {
  const { writeHead, write, end } = response;
  const chunks: Buffer[] = [];
  let status = 200;
  let headers: OutgoingHttpHeaders = {};

  const keep = (chunk: unknown): void => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
  };
  response.writeHead = ((code: number, given?: OutgoingHttpHeaders) => {
    status = code;
    headers = given ?? {};
    return response;
  }) as typeof response.writeHead;
  response.write = ((chunk: unknown) => {
    keep(chunk);
    return true;
  }) as typeof response.write;
  response.end = ((chunk?: unknown) => {
    keep(chunk);
    Object.assign(response, { writeHead, write, end });
    then({
      status,
      headers: { ...response.getHeaders(), ...headers },
      body: Buffer.concat(chunks),
      finish: (code, given, body) => response.writeHead(code, given).end(body),
      breakOff(code, given, body) {
        response.writeHead(code, given);
        response.write(body, () => response.destroy());
      },
    });
    return response;
  }) as typeof response.end;
}
