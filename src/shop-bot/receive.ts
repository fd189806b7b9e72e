import { createHash, randomUUID } from 'node:crypto';
import { type Refused, refused } from '../autopost/store/gate-refusal.ts';
import type { InTurn } from '../engine/in-turn.ts';
import type { Log } from '../log.ts';
import { type Composed, composeAnswers, wordsOf } from './compose-answers.ts';
import { type Decision, decide } from './decide.ts';
import { type Inbound, readUpdate } from './inbound.ts';
import type { Shop, Shops } from './shops.ts';
import type { MessageStore, OpenRequest } from './store/messages.ts';
import type { AnswerToSend } from './store/outbox.ts';

type WebhookCall = {
  endpointId: string;
  secret: string;
  bytes: number;
  /** Null: longer than the limit, and not read. */
  json: string | null;
};

export type Received = Refused | { outcome: 'answered' | 'ignored' | 'invalid' };

export type Receive = (call: WebhookCall) => Promise<Received>;

/** The chat is written to faster than a decision takes: MAX brings the update again. */
class ChatTooBusy extends Error {
  override readonly name = 'ChatTooBusy';
}

type Deps = {
  messages: MessageStore;
  shops: Shops;
  /** Orders the messages of a chat within this process; across processes the revision of the state does. */
  inTurn: InTurn<string>;
  send(answers: readonly AnswerToSend[]): void;
  /** An answer waits behind another one of its chat, which may be through by now. */
  sendDue(): void;
  log: Log;
};

const MOST_TRIES = 20;

/**
 * A customer's message: let in, decided, and settled in one transaction with its answer. It counts as received when that
 * is through, and not before: until then MAX brings it again, and afterwards it is known by its id.
 */
export function makeReceive({ messages, shops, inTurn, send, sendDue, log }: Deps): Receive {
  return async ({ endpointId, secret, bytes, json }) => {
    const update = json === null ? null : readUpdate(parsed(json));
    const gate = { endpointId, secretHash: createHash('sha256').update(secret).digest('hex'), bytes };
    if (update === null) return knock(gate, 'invalid');
    if ('ignored' in update) {
      const outcome = await knock(gate, 'ignored');
      log.info({ endpoint: endpointId, update: update.ignored, ...outcome }, 'an update needs no answer');
      return outcome;
    }
    return inTurn(`${endpointId} ${update.chatId ?? update.userId}`, () => answer(gate, update));
  };

  async function knock(
    gate: Pick<OpenRequest, 'endpointId' | 'secretHash' | 'bytes'>,
    admitted: 'invalid' | 'ignored',
  ): Promise<Received> {
    const opened = await messages.open({ ...gate, message: null, again: false });
    return opened.outcome === 'accepted' ? { outcome: admitted } : refused(opened);
  }

  async function answer(
    gate: Pick<OpenRequest, 'endpointId' | 'secretHash' | 'bytes'>,
    inbound: Inbound,
  ): Promise<Received> {
    const traceId = randomUUID();
    const { messageId, userId } = inbound;
    const message = { id: messageId, chatId: inbound.chatId, userId };
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const opened = await messages.open({ ...gate, message, again: tries > 1 });
      if (opened.outcome !== 'accepted') return refused(opened);
      const { workspaceId, chatId, at } = opened;
      const shop = await shops({ ...opened, endpointId: gate.endpointId });
      const decision = decide(opened, inbound.action, shop.rules, at);
      const composed = composeAnswers({ decision, inbound, chatId, workspaceId, ...shop, traceId });
      const settled = await messages.settle({
        ...{ workspaceId, chatId, userId, messageId, revision: opened.revision },
        state: decision.state,
        context: decision.context,
        expiresAt: decision.remembers ? new Date(at.getTime() + timeoutMs(shop)) : null,
        log: logLine({ decision, composed, inbound, shop, traceId }),
        answers: composed.answers,
      });
      if (settled.outcome === 'stale') continue;
      const about = { workspace: workspaceId, chat: chatId, message: messageId, trace: traceId };
      log.info(
        { ...about, reply: decision.reply.kind, rule: composed.rule?.rule_id },
        'a message was answered',
      );
      if (composed.warnings.length > 0)
        log.warn({ ...about, warnings: composed.warnings }, 'an answer lacks something');
      send(
        settled.answers.flatMap(({ id, ready }, place) =>
          ready ? [{ id, workspaceId, payload: composed.answers[place]!.payload, attempts: 0 }] : [],
        ),
      );
      if (settled.answers.some(({ ready }) => !ready)) sendDue();
      return { outcome: 'answered' };
    }
    throw new ChatTooBusy(`chat ${inbound.chatId ?? inbound.userId}: ${MOST_TRIES} decisions came too late`);
  }
}

const timeoutMs = ({ settings }: Shop): number => settings.state_timeout_minutes * 60_000;

type Line = { decision: Decision; composed: Composed; inbound: Inbound; shop: Shop; traceId: string };

function logLine({ decision, composed, inbound, shop, traceId }: Line) {
  const { reply, stateBefore, state } = decision;
  const { warnings, answers } = composed;
  return {
    text: wordsOf(inbound, shop.rules),
    rule_id: reply.kind === 'rule' ? reply.rule : null,
    rule_version: reply.kind === 'rule' ? reply.version : null,
    state_before: stateBefore,
    state_after: state,
    preview: composed.preview,
    meta: {
      trace_id: traceId,
      idempotency_key: answers[0]!.payload.idempotency_key,
      adapter: 'max',
      message_id: inbound.messageId,
      reply: reply.kind === 'escalate' ? `escalate:${reply.why}` : reply.kind,
      ...(warnings.length > 0 && { warnings }),
    },
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null; // answered as a malformed update
  }
}
