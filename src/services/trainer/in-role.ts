/** Longer than anybody says in one breath. */
const MOST_CHARACTERS = 700;

const machineTalk =
  /языков\p{L}+ модел|искусственн\p{L}+ интеллект|нейросет|чат-?бот|я (?:лишь |всего лишь |просто )?(?:ии|ai|бот|программа)(?![\p{L}\p{N}])|системн\p{L}+ (?:промпт|инструкц|сообщен)|system prompt|as an ai|language model|openai|chatgpt|gemini/iu;
const leftovers = /"?(?:reply|achieved)"?\s*:|```|<\/?[a-z_]+>|\{\s*"/iu;

/** What is wrong with a reply that a person would read as the counterpart's words; null: nothing. */
export function outOfRole(reply: string): string | null {
  const text = reply.trim();
  if (text === '') return 'the reply is empty';
  if (text.length > MOST_CHARACTERS) return `the reply has ${text.length} characters`;
  if (machineTalk.test(text)) return 'the reply speaks of models and prompts';
  if (leftovers.test(text)) return 'the reply has remains of the answer format in it';
  return isRussian(text) ? null : 'the reply is not in Russian words';
}

/** Mostly Cyrillic letters, and words rather than one long string. */
function isRussian(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  const cyrillic = text.match(/\p{Script=Cyrillic}/gu) ?? [];
  return cyrillic.length * 2 > letters.length && !/\S{60}/u.test(text);
}
