import * as api from './api.js';
import { createChartView } from './chart-view.js';
import { h } from './dom.js';

const REPLIES = {
  rule: 'ответило правило',
  clarify: 'правила нет: уточняющий вопрос',
  ask_again: 'не похоже на ответ: вопрос повторён',
  text_only: 'вложение, а нужен текст',
  stale_button: 'кнопка из старого сообщения',
  menu: 'меню тем',
  cancelled: 'сценарий отменён',
  still_waiting: 'ждёт оператора, сообщение передано',
  'escalate:no_match': 'снова нет правила: позван оператор',
  'escalate:too_many_turns': 'слишком много шагов: позван оператор',
  'escalate:asked': 'покупатель попросил оператора',
};
const STATUSES = {
  queued: 'ждёт отправки',
  sending: 'отправляется',
  sent: 'доставлен',
  unknown: 'неизвестно, дошёл ли',
  failed: 'не отправлен',
};

/** What the bot knows of the chat: the log of the last message, the rules in force, and the switches of faults. */
export function createShopBehind({ act }) {
  const view = createChartView();
  const last = h('div', { class: 'shop-last' });
  const rules = h('ol', { class: 'shop-rules' });
  const mood = h('select', { class: 'picker', 'aria-label': 'Как ведёт себя MAX в этом чате' });
  mood.addEventListener('change', () => act('mood', { mood: mood.value }));
  const repeats = h('input', { type: 'checkbox' });
  repeats.addEventListener('change', () => act('repeats', { on: repeats.checked }));
  const faults = h(
    'div',
    { class: 'shop-faults' },
    h('label', {}, 'MAX в этом чате', mood),
    h('label', { class: 'check' }, repeats, 'приносить каждое сообщение трижды'),
    h('h2', {}, 'Схема разговора'),
    h('div', { class: 'delivery-chart' }, view.element),
  );
  let shown = '';
  let shownRules = '';
  let drawn = null;
  return { last, rules, faults, show, showRules };

  function show(state) {
    const seen = JSON.stringify([state.log, state.answers, state.state, state.mood, state.repeats]);
    if (seen === shown) return;
    shown = seen;
    mood.replaceChildren(
      ...state.moods.map(({ id, title }) => h('option', { value: id, selected: id === state.mood }, title)),
    );
    repeats.checked = state.repeats;
    last.replaceChildren(...lastMessage(state));
    drawn ??= api.shopChart().then(view.setChart);
    drawn.then(() => view.setLive(state.state?.context.phase ?? 'idle', false));
  }

  function showRules(list) {
    const seen = JSON.stringify(list);
    if (seen === shownRules) return;
    shownRules = seen;
    rules.replaceChildren(...list.map(rule));
  }
}

function lastMessage({ log: [entry], answers: [answer], state }) {
  if (!entry) return [];
  const { ruleId, ruleVersion, stateBefore, stateAfter, meta } = entry;
  const words = REPLIES[meta.reply] ?? meta.reply;
  return [
    h('h2', {}, 'Последнее сообщение'),
    h(
      'dl',
      { class: 'facts' },
      fact('Решение', ruleId ? `${words} ${ruleId}, версия ${ruleVersion}` : words),
      fact('Состояние', stateBefore === stateAfter ? stateAfter : `${stateBefore} → ${stateAfter}`),
      answer && fact('Ответ', STATUSES[answer.status] ?? answer.status),
      state?.state !== 'default' && state && fact('Шагов в сценарии', `${state.context.turns}`),
      meta.warnings && fact('Замечания', meta.warnings.join('; ')),
      fact('Трассировка', h('code', {}, meta.trace_id)),
    ),
  ];
}

const fact = (name, value) => h('div', {}, h('dt', {}, name), h('dd', {}, value));

const rule = ({ rule_id, version, state, next_state, priority, pattern, response_template }) =>
  h(
    'li',
    {},
    h(
      'header',
      {},
      h('b', {}, rule_id),
      h('span', { class: 'version' }, `версия ${version}`),
      state && h('span', { class: 'tag' }, `в ${state}`),
      next_state && h('span', { class: 'tag' }, `→ ${next_state}`),
      priority !== 0 && h('span', { class: 'version' }, `приоритет ${priority}`),
    ),
    h(
      'p',
      { class: 'shop-words' },
      pattern.keywords.length > 0 ? pattern.keywords.join(', ') : 'любой текст',
    ),
    h('p', {}, response_template),
  );
