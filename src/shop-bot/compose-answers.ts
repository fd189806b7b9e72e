import { createHash } from 'node:crypto';
import type { Reply, Vars } from '../../machines/shop-dialogue.ts';
import { maxPreflight } from '../platforms/max/preflight.ts';
import type { Decision } from './decide.ts';
import type { Inbound } from './inbound.ts';
import type { Rule } from './rule.ts';
import type { RuleSet } from './rule-set.ts';
import type { ShopSettings } from './settings.ts';
import { renderTemplate } from './template.ts';
import { operatorTexts, type TextName } from './texts.ts';

/** Everything that is needed to send it, so that any process can. */
export type AnswerPayload = {
  text: string;
  buttons: AnswerButton[];
  media: Rule['media'];
  to: { chatId: string } | { userId: string };
  auth_ref: string;
  trace_id: string;
  idempotency_key: string;
};

type AnswerButton = { text: string; rule: string };
export type OutgoingAnswer = { chat_id: string; hash: string; payload: AnswerPayload };
export type Composed = { answers: OutgoingAnswer[]; preview: string; rule: Rule | null; warnings: string[] };

const MOST_QUOTED = 600;

type Said = { text: string; buttons: AnswerButton[]; media: Rule['media'] };

type Given = {
  decision: Decision;
  inbound: Inbound;
  chatId: string;
  workspaceId: string;
  rules: RuleSet;
  settings: ShopSettings;
  traceId: string;
};

/** The words for a decision: what the customer reads, and a line for the operator where one is due. */
export function composeAnswers(given: Given): Composed {
  const { decision, inbound, chatId, workspaceId, rules, settings, traceId } = given;
  const { reply } = decision;
  const warnings = [...decision.notes];
  const values: Vars = {
    ...settings.vars,
    ...(reply.kind === 'rule' && reply.vars),
    customer: inbound.customer,
    customer_id: inbound.userId,
    words: clipped(wordsOf(inbound, rules)),
  };
  const rule = reply.kind === 'rule' ? rules.byId(reply.rule) : null;
  const meant = sayTo(reply, rule);
  const said = isSendable(meant) ? meant : own('contacts');
  const line = said === meant ? operatorLine(reply, rule) : render(operatorTexts.not_sendable);
  const toChat: AnswerPayload['to'] = chatId.startsWith('user:') ? { userId: inbound.userId } : { chatId };
  const answers = [outgoing(chatId, toChat, said)];
  if (line !== null && settings.operator_chat !== null) {
    const to = { chatId: settings.operator_chat };
    answers.push(outgoing(settings.operator_chat, to, { text: line, buttons: [], media: null }));
  }
  return { answers, preview: said.text, rule, warnings };

  function sayTo(it: Reply, ruleOfIt: Rule | null): Said {
    const { topics } = settings;
    switch (it.kind) {
      case 'rule':
        if (!ruleOfIt) throw new Error(`rule "${it.rule}" was decided for and is not there`);
        return {
          text: render(ruleOfIt.response_template),
          buttons: ruleOfIt.buttons,
          media: ruleOfIt.media,
        };
      case 'ask_again': {
        const question = decision.question === null ? null : rules.byId(decision.question);
        const asked = settings.texts.again.replace('{{question}}', () => question?.response_template ?? '');
        return { text: render(asked).trim(), buttons: question?.buttons ?? [], media: null };
      }
      case 'clarify':
      case 'stale_button':
      case 'cancelled':
        return own(it.kind, topics);
      case 'menu':
        return own(inbound.action.kind === 'started' ? 'greeting' : 'menu', topics);
      case 'text_only':
        return own('text_only');
      case 'still_waiting':
        return own('waiting');
      case 'escalate':
        return own('contacts');
      default: {
        const never: never = it;
        throw new TypeError(`Expected a reply, got ${JSON.stringify(never)}`);
      }
    }
  }

  function own(name: TextName, buttons: AnswerButton[] = []): Said {
    return { text: render(settings.texts[name]), buttons, media: null };
  }

  function operatorLine(it: Reply, ruleOfIt: Rule | null): string | null {
    if (it.kind === 'escalate') return render(operatorTexts[it.why]);
    if (it.kind === 'still_waiting') return render(operatorTexts.still_waiting);
    return ruleOfIt?.operator_template ? render(ruleOfIt.operator_template) : null;
  }

  function render(template: string): string {
    const { text, missing } = renderTemplate(template, values);
    warnings.push(...missing.map((name) => `{{${name}}} has no value`));
    return text;
  }

  /** What MAX would refuse is not tried: the customer gets the contacts, the operator is told, the log says why. */
  function isSendable(it: Said): boolean {
    const checked = maxPreflight({ text: it.text, parseMode: 'HTML', buttons: keyboardOf(it.buttons) });
    if (!checked.ok) warnings.push(`not sendable: ${checked.refusal.problem}`);
    return checked.ok;
  }

  function outgoing(chat: string, to: AnswerPayload['to'], it: Said): OutgoingAnswer {
    const hash = createHash('sha256').update(JSON.stringify(it)).digest('hex');
    const idempotency_key = `bot:${workspaceId}:${chat}:${inbound.messageId}`;
    const about = { auth_ref: settings.auth_ref, trace_id: traceId, idempotency_key };
    return { chat_id: chat, hash, payload: { ...it, to, ...about } };
  }
}

/** For a line in the operator's chat: the whole of it stands in the log, and a longer line MAX would refuse. */
const clipped = (words: string): string =>
  words.length > MOST_QUOTED ? `${words.slice(0, MOST_QUOTED).toWellFormed()}…` : words;

export const keyboardOf = (buttons: readonly AnswerButton[]) =>
  buttons.map(({ text, rule }) => [{ text, payload: rule }]);

/** What the customer said, as the log and the operator read it. */
export function wordsOf({ action }: Inbound, rules: RuleSet): string {
  switch (action.kind) {
    case 'text':
      return action.text;
    case 'photo':
      return action.text || '[фото]';
    case 'press':
      return `[${rules.labelOf(action.rule) ?? action.rule}]`;
    case 'media':
      return '[вложение]';
    case 'started':
      return '[старт]';
    default: {
      const never: never = action;
      throw new TypeError(`Expected an action of a customer, got ${JSON.stringify(never)}`);
    }
  }
}
