import { type NewRule, ruleSchema } from '../shop-bot/rule.ts';
import { CUSTOMER_LINK } from '../shop-bot/texts.ts';

/** A shop to try with. Its bot lives in the sandbox: the token and the secret open nothing of value. */
export const demoShop = {
  workspaceId: 'demo-shop',
  name: 'Магазин «Тёплый свет»',
  endpointId: 'demo-shop',
  secret: 'demo-shop-secret-that-is-not-secret',
  bot: { authRef: 'demo-shop-bot', token: 'DEMO-shop-token-that-is-not-real', name: 'Тёплый свет' },
  operatorChat: { id: -73_000_000_000_001, title: 'Тёплый свет · операторы' },
  ingressRps: 30,
} as const;

const topics = [
  { text: '🚚 Доставка', rule: 'delivery' },
  { text: '💳 Оплата', rule: 'payment' },
  { text: '↩️ Возврат', rule: 'returns' },
  { text: '🛠 Гарантия', rule: 'warranty' },
  { text: '📍 Контакты', rule: 'contacts' },
];

/** `workspace_endpoints.meta`: what the bot knows of the shop. */
export const demoShopSettings = {
  auth_ref: demoShop.bot.authRef,
  operator_chat: String(demoShop.operatorChat.id),
  state_timeout_minutes: 30,
  vars: {
    shop: 'Тёплый свет',
    phone: '+7 3412 55-01-18',
    hours: 'ежедневно с 9 до 20',
    address: 'Ижевск, ул. Пушкинская, 165',
    free_from: '3 000 ₽',
  },
  topics,
};

const reasons = [
  { id: 'return_size', text: 'Не подошёл размер', keywords: ['размер', 'большой', 'маленьк', 'не влез'] },
  { id: 'return_colour', text: 'Не подошёл цвет', keywords: ['цвет', 'оттенок'] },
  { id: 'return_changed', text: 'Больше не нужно', keywords: ['не нужн', 'передумал', 'нашел дешевле'] },
  { id: 'return_wrong', text: 'Привезли не то', keywords: ['не то', 'перепутал', 'другой товар'] },
];
const damaged = { id: 'return_damaged', text: 'Брак или повреждение' };

const instructions = [
  'Возврат по заказу <b>{{order}}</b> принят. Причина: {{reason}}.',
  '',
  '1. Соберите товар в упаковку и положите чек.',
  '2. Принесите или отправьте нам: {{address}}, {{hours}}.',
  '3. Деньги вернутся туда же, откуда пришли, за 10 дней.',
  '',
  'Если что-то пойдёт не так, звоните: {{phone}}.',
].join('\n');
const forOperator = `Возврат: заказ {{order}}, причина «{{reason}}». Покупатель: ${CUSTOMER_LINK}.`;

const endOfReturn = {
  intent: 'returns',
  next_state: 'default',
  response_template: instructions,
  operator_template: forOperator,
};

/**
 * Five topics, returns as a scenario of several steps, and small talk, which is no reason to call a person. Nothing of it
 * is in code: these are rows of the table.
 */
export const demoRules: readonly NewRule[] = [
  {
    rule_id: 'hello',
    intent: 'small_talk',
    pattern: { keywords: ['здравствуй', 'добрый день', 'доброе утро', 'добрый вечер', 'привет'] },
    priority: -20,
    response_template: 'Здравствуйте! Чем помочь? Спросите своими словами или выберите тему:',
    buttons: topics,
  },
  {
    rule_id: 'thanks',
    intent: 'small_talk',
    pattern: { keywords: ['спасибо', 'благодар', 'до свидания'] },
    priority: -20,
    response_template: 'Пожалуйста! Если появится вопрос, напишите.',
  },
  {
    rule_id: 'person',
    intent: 'operator',
    pattern: { keywords: ['человек', 'сотрудник', 'менеджер', 'консультант', 'оператор'] },
    priority: -10,
    response_template: 'Позвать сотрудника? Он ответит вам лично.',
    buttons: [{ text: '🙋 Позвать сотрудника', rule: '@operator' }],
  },
  {
    rule_id: 'delivery',
    intent: 'delivery',
    pattern: { keywords: ['доставк', 'доставля', 'привез', 'курьер', 'самовывоз', 'когда придет'] },
    priority: 10,
    response_template:
      'Везём по Ижевску за 1–2 дня, 300 ₽, от {{free_from}} бесплатно. По России отправляем СДЭКом, 3–7 дней.\nСамовывоз: {{address}}, {{hours}}.',
    buttons: [
      { text: '💳 Как оплатить', rule: 'payment' },
      { text: '🙋 Позвать сотрудника', rule: '@operator' },
    ],
  },
  {
    rule_id: 'payment',
    intent: 'payment',
    pattern: { keywords: ['оплат', 'оплач', 'карт', 'наличн', 'рассрочк', 'сбп', 'чек'] },
    priority: 10,
    response_template:
      'Принимаем карты, СБП и наличные: на сайте или при получении. Чек приходит на почту. От 10 000 ₽ есть рассрочка на 6 месяцев без переплаты.',
  },
  {
    rule_id: 'returns',
    intent: 'returns',
    pattern: { keywords: ['возврат', 'вернуть', 'верните', 'обмен', 'сдать обратно'] },
    priority: 30,
    max_turns: 6,
    next_state: 'returns_order',
    response_template:
      'Помогу с возвратом. Напишите номер заказа: буквы, цифры и дефис, например <b>ТС-10452</b>. Он есть в письме и на чеке.',
    buttons: [{ text: 'Отмена', rule: '@cancel' }],
  },
  {
    rule_id: 'warranty',
    intent: 'warranty',
    pattern: { keywords: ['гаранти', 'сломал', 'не работает', 'ремонт', 'перестал'] },
    priority: 20,
    response_template:
      'На всё даём гарантию 2 года. Привезите товар и чек: {{address}}, {{hours}}. Проверим за 3 дня: починим, заменим или вернём деньги.',
  },
  {
    rule_id: 'contacts',
    intent: 'contacts',
    pattern: { keywords: ['контакт', 'адрес', 'телефон', 'где вы', 'часы работы', 'график', 'позвонить'] },
    response_template: 'Мы здесь: {{address}}\nОткрыты {{hours}}\nТелефон: {{phone}}',
    buttons: [{ text: '🙋 Позвать сотрудника', rule: '@operator' }],
  },
  {
    rule_id: 'returns_order',
    intent: 'returns',
    state: 'returns_order',
    expects: 'order_number',
    capture: 'order',
    next_state: 'returns_reason',
    response_template:
      'Заказ <b>{{order}}</b>, записал. Почему возвращаете? Выберите или напишите своими словами.',
    buttons: [...reasons, damaged].map(({ id, text }) => ({ text, rule: id })),
  },
  ...reasons.map(({ id, keywords }) => ({
    ...{ rule_id: id, state: 'returns_reason', capture: 'reason', pattern: { keywords }, ...endOfReturn },
  })),
  {
    rule_id: damaged.id,
    intent: 'returns',
    state: 'returns_reason',
    pattern: { keywords: ['брак', 'поврежд', 'разбит', 'сломан', 'треснул', 'не работает'] },
    priority: 10,
    capture: 'reason',
    next_state: 'returns_photo',
    response_template: 'Жаль, что так вышло. Пришлите фото повреждения: так решим быстрее.',
    buttons: [{ text: 'Фото не будет', rule: 'return_without_photo' }],
  },
  { rule_id: 'return_own_words', state: 'returns_reason', priority: -10, capture: 'reason', ...endOfReturn },
  {
    rule_id: 'return_photo',
    state: 'returns_photo',
    expects: 'photo' as const,
    capture: 'photo',
    ...endOfReturn,
    operator_template: `${forOperator} Фото: {{photo}}`,
  },
  {
    rule_id: 'return_without_photo',
    state: 'returns_photo',
    pattern: { keywords: ['без фото', 'нет фото', 'фото не будет', 'не могу'] },
    ...endOfReturn,
  },
].map((rule) => ruleSchema.parse(rule));
