/** What the bot says where no rule speaks. A shop may put its own words in the settings of its endpoint. */
export const defaultTexts = {
  greeting: 'Здравствуйте! Я бот магазина «{{shop}}». Спросите своими словами или выберите тему:',
  menu: 'О чём рассказать?',
  clarify: 'Я не совсем понял вопрос. Выберите тему или напишите иначе:',
  again: 'Не похоже на ответ. Попробуйте ещё раз или напишите «отмена».\n\n{{question}}',
  contacts:
    'Я передал ваш вопрос сотруднику, он свяжется с вами. Если не хочется ждать: {{phone}}, {{hours}}, {{address}}.',
  waiting: 'Сотрудник уже знает о вашем вопросе, я передал ему и это сообщение. Наш телефон: {{phone}}.',
  text_only: 'Я понимаю только текст. Напишите, пожалуйста, словами.',
  stale_button: 'Эта кнопка из старого сообщения. Выберите тему:',
  cancelled: 'Хорошо, остановился. Чем ещё помочь?',
} as const;

export type TextName = keyof typeof defaultTexts;

/** Lines for the operator's chat. */
export const operatorTexts = {
  no_match: 'Бот не понял покупателя {{customer}}: «{{words}}»',
  too_many_turns: 'Разговор с покупателем {{customer}} затянулся, последние слова: «{{words}}»',
  asked: 'Покупатель {{customer}} просит человека: «{{words}}»',
  still_waiting: 'Покупатель {{customer}} дописал: «{{words}}»',
} as const;

/** Words that lead out of any scenario, in the spelling in which words are compared. */
export const waysOut = {
  отмена: 'dialogue.cancelled',
  оператор: 'operator.asked',
  меню: 'menu.asked',
} as const;

/** Ids of rules that are not in the table: buttons may lead to them. */
export const builtInRules = {
  '@cancel': 'dialogue.cancelled',
  '@operator': 'operator.asked',
  '@menu': 'menu.asked',
} as const;
