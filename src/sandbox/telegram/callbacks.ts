import { badRequest } from './wire.ts';
import type { CallbackAnswer, World } from './world.ts';

/** Takes the answer to a press. Only the first one is shown; a late one is refused. */
export function answerCallback(world: World, fields: Record<string, unknown>, lifetimeMs: number): true {
  const query = world.queries.get(String(fields.callback_query_id));
  if (!query || world.now() - query.asked_at > lifetimeMs) {
    throw badRequest('query is too old and response timeout expired or query ID is invalid');
  }
  if (query.answer) return true;
  const answer: CallbackAnswer = {
    ...(fields.text ? { text: String(fields.text) } : {}),
    ...((fields.show_alert === true || fields.show_alert === 'true') && { show_alert: true }),
    ...(fields.url ? { url: String(fields.url) } : {}),
  };
  world.queries.put(query.id, { ...query, answer });
  const { chat_id, message_id, id } = query;
  world.notify({ type: 'answer', chat_id, message_id, query_id: id, answer });
  return true;
}

/** The answer to a press, or null when none came in time. */
export function awaitAnswer(
  world: World,
  queryId: string,
  timeoutMs: number,
): Promise<CallbackAnswer | null> {
  const given = world.queries.get(queryId)?.answer;
  if (given) return Promise.resolve(given);
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(null), timeoutMs);
    const unsubscribe = world.subscribe((change) => {
      if (change.type === 'answer' && change.query_id === queryId) finish(change.answer);
    });
    function finish(answer: CallbackAnswer | null): void {
      clearTimeout(timer);
      unsubscribe();
      resolve(answer);
    }
  });
}
