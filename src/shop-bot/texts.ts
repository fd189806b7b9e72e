export const textNames = [
  'greeting',
  'menu',
  'clarify',
  'again',
  'contacts',
  'waiting',
  'text_only',
  'stale_button',
  'cancelled',
] as const;
export type TextName = (typeof textNames)[number];

type Known = {
  vars: Readonly<Record<string, string>>;
  topics: readonly unknown[];
  operator_chat: string | null;
};

/**
 * What the bot says where no rule speaks: nothing of what the shop has not told it, and no promise of a person where
 * there is no chat to call one from. A shop may put its own words in the settings of its endpoint.
 */
export function defaultTexts({ vars, topics, operator_chat }: Known): Record<TextName, string> {
  const known = ['phone', 'hours', 'address'].filter((name) => vars[name]);
  const ways = known.map((name) => `{{${name}}}`).join(', ');
  const hasTopics = topics.length > 0;
  const hasOperators = operator_chat !== null;
  const alone = ways
    ? `Тут лучше ответит сотрудник: ${ways}.`
    : 'Этого я не знаю, а позвать сотрудника не могу.';
  return {
    greeting: `Здравствуйте! Я бот магазина «{{shop}}». Спросите своими словами${hasTopics ? ' или выберите тему:' : '.'}`,
    menu: 'О чём рассказать?',
    clarify: `Я не совсем понял вопрос. ${hasTopics ? 'Выберите тему или напишите иначе:' : 'Напишите, пожалуйста, иначе.'}`,
    again: 'Не похоже на ответ. Попробуйте ещё раз или напишите «отмена».\n\n{{question}}',
    contacts: hasOperators
      ? `Я передал ваш вопрос сотруднику, он свяжется с вами.${ways && ` Если не хочется ждать: ${ways}.`}`
      : alone,
    waiting: hasOperators
      ? `Сотрудник уже знает о вашем вопросе, я передал ему и это сообщение.${vars.phone ? ' Наш телефон: {{phone}}.' : ''}`
      : alone,
    text_only: 'Я понимаю только текст. Напишите, пожалуйста, словами.',
    stale_button: `Эта кнопка из старого сообщения. ${hasTopics ? 'Выберите тему:' : 'Напишите, что вас интересует.'}`,
    cancelled: 'Хорошо, остановился. Чем ещё помочь?',
  };
}

/** Pressed, the name opens the customer's profile: the operator writes to them from there. */
export const CUSTOMER_LINK = '<a href="max://user/{{customer_id}}">{{customer}}</a>';

/** Lines for the operator's chat. A name stands in the nominative: what it is in another case is not known. */
export const operatorTexts = {
  no_match: `Бот не понял вопрос. ${CUSTOMER_LINK}: «{{words}}»`,
  too_many_turns: `Разговор с ботом затянулся. ${CUSTOMER_LINK}: «{{words}}»`,
  asked: `Просят сотрудника. ${CUSTOMER_LINK}: «{{words}}»`,
  still_waiting: `${CUSTOMER_LINK} пишет ещё: «{{words}}»`,
  not_sendable: `Бот не смог ответить. ${CUSTOMER_LINK}: «{{words}}»`,
} as const;

/** Words that lead out of any scenario, in the spelling in which words are compared. */
export const waysOut = [
  { words: /^(?:отмен(?:а|ить|и|ите)|стоп)$/u, event: 'dialogue.cancelled' },
  { words: /^(?:\p{L}+,? ){0,3}оператор\p{L}{0,2}$/u, event: 'operator.asked' },
  { words: /^(?:меню|start)$/u, event: 'menu.asked' },
] as const;

/** Ids of rules that are not in the table: buttons may lead to them. */
export const builtInRules = {
  '@cancel': 'dialogue.cancelled',
  '@operator': 'operator.asked',
  '@menu': 'menu.asked',
} as const;
