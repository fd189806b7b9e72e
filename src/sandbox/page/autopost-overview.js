import * as api from './api.js';
import { createChartView } from './chart-view.js';
import { h } from './dom.js';

const clock = new Intl.DateTimeFormat('ru', { timeStyle: 'medium' });

/** How many deliveries are in which status, what happened last, and the chart of a delivery's life. */
export function createAutopostOverview() {
  const view = createChartView();
  const counts = h('div', { class: 'counts' });
  const events = h('ol', { class: 'events' });
  const chart = h(
    'details',
    { class: 'delivery-chart' },
    h('summary', {}, 'Схема: жизнь одной доставки'),
    view.element,
  );
  const element = h('div', {}, counts, chart, h('h2', {}, 'Что произошло'), events);
  let shown = '';
  let picked = null;
  let drawn = null;
  let state = { counts: [], events: [] };
  chart.addEventListener('toggle', drawChart);
  return { element, show };

  function show(next) {
    const seen = JSON.stringify([next.counts, next.events]);
    if (seen === shown) return;
    shown = seen;
    state = next;
    drawCounts();
    const lines = state.events.length > 0 ? state.events.map(line) : [nothingYet()];
    events.replaceChildren(...lines);
  }

  function drawCounts() {
    counts.replaceChildren(...state.counts.map(count));
    view.setLive(picked ?? liveStatus(), false);
  }

  function count({ id, title, tone, amount }) {
    return h(
      'button',
      {
        type: 'button',
        class: `count ${amount > 0 ? tone : 'none'}`,
        title: 'Показать на схеме',
        async onclick() {
          picked = id;
          chart.open = true;
          await drawChart();
          view.setLive(id, false);
        },
      },
      h('b', {}, String(amount)),
      h('span', {}, title),
    );
  }

  /** The status that most deserves a look: what is on its way, and otherwise where most have ended. */
  function liveStatus() {
    const there = state.counts.filter(({ amount }) => amount > 0);
    const onTheWay = there.findLast(({ tone }) => tone === 'waits');
    return (onTheWay ?? there.toSorted((a, b) => b.amount - a.amount)[0])?.id ?? null;
  }

  async function drawChart() {
    if (!chart.open) return;
    drawn ??= api.deliveryChart().then(view.setChart);
    await drawn;
    view.setLive(picked ?? liveStatus(), false);
  }
}

const line = ({ at, what, words, tone }) =>
  h(
    'li',
    { class: `event ${tone}` },
    h('time', {}, clock.format(at)),
    h('span', {}, h('b', {}, what), ' ', h('span', { class: 'event-words' }, words)),
  );

const nothingYet = () =>
  h('li', { class: 'hint' }, 'Пока ничего. Отправьте пост, и здесь появится каждая его доставка.');
