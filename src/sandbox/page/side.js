import * as api from './api.js';
import { createAutopost } from './autopost.js';
import { renderPost } from './channel-post.js';
import { createChartView } from './chart-view.js';
import { byId, h, icon } from './dom.js';
import { isSafeUrl } from './entities.js';
import { jsonTree } from './json-tree.js';
import { createShop } from './shop.js';

/**
 * The right pane. Tabs are data: the chart and the context of the live flow come first, then one tab for each
 * publisher that tells what arrived there.
 */
export function createSide({ onDeed }) {
  const tabs = byId('tabs');
  const body = byId('side-body');
  const view = createChartView();
  const opened = new Map();
  let flows = [];
  let live = null;
  let chosen = null; // a chart picked by hand; null follows the dialogue
  let drawn = null;
  let panels = [];
  let autopost = null;
  let shop = null;
  let active = 'chart';

  const picker = h('select', { class: 'picker', 'aria-label': 'Какую схему показать' });
  picker.addEventListener('change', () => {
    chosen = picker.value || null;
    drawChart();
  });
  const badge = h('span', { class: 'state-badge', hidden: true });
  const version = h('span', { class: 'version' });
  const bar = h('div', { class: 'chart-bar' }, picker, badge, version);
  const empty = h('div', { class: 'side-empty' });
  const chartPane = h('section', { class: 'pane chart-pane' }, bar, view.element, empty);
  const contextPane = h('section', { class: 'pane context-pane' });
  tabs.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const all = allTabs();
    const index = all.findIndex(({ id }) => id === active);
    activate(all.at((index + step) % all.length).id);
    tabs.querySelector('[aria-selected="true"]').focus();
  });
  draw();
  drawContext();
  return { setFlows, setLive, setArrivals, showAutopost, showShop };

  function setFlows(list) {
    flows = list;
    drawChart();
  }

  function setLive(next) {
    if (JSON.stringify(next) === JSON.stringify(live)) return;
    const flowChanged = next?.flow !== live?.flow;
    live = next;
    if (flowChanged && live) chosen = null;
    drawChart();
    drawContext();
  }

  function setArrivals(list) {
    if (JSON.stringify(list) === JSON.stringify(panels)) return;
    panels = list;
    draw();
  }

  function showAutopost() {
    autopost ??= createAutopost();
    draw();
  }

  function showShop() {
    shop ??= createShop();
    draw();
  }

  function allTabs() {
    return [
      { id: 'chart', title: 'Схема', pane: () => chartPane },
      { id: 'context', title: 'Данные', pane: () => contextPane },
      ...panels.map((panel) => ({
        id: `arrivals-${panel.id}`,
        title: panel.title,
        count: panel.items.length + (panel.posts?.length ?? 0),
        pane: () => arrivalsPane(panel, onDeed),
      })),
      ...(autopost ? [{ id: 'autopost', title: 'Автопостинг', pane: () => autopost.element }] : []),
      ...(shop ? [{ id: 'shop', title: 'Магазин в MAX', pane: () => shop.element }] : []),
    ];
  }

  function activate(id) {
    active = id;
    draw();
  }

  function draw() {
    const all = allTabs();
    const current = all.find(({ id }) => id === active) ?? all[0];
    tabs.replaceChildren(...all.map((tab) => tabButton(tab, tab === current)));
    const pane = current.pane();
    autopost?.setActive(current.id === 'autopost');
    shop?.setActive(current.id === 'shop');
    pane.setAttribute('role', 'tabpanel');
    pane.setAttribute('aria-label', current.title);
    if (body.firstChild !== pane) body.replaceChildren(pane);
  }

  function tabButton({ id, title, count }, selected) {
    const attributes = {
      type: 'button',
      role: 'tab',
      class: 'tab',
      'aria-selected': String(selected),
      tabindex: selected ? '0' : '-1',
    };
    return h(
      'button',
      { ...attributes, onclick: () => activate(id) },
      title,
      count ? h('span', { class: 'badge' }, String(count)) : null,
    );
  }

  async function drawChart() {
    const flow = chosen ?? live?.flow ?? null;
    drawPicker(flow);
    const isLive = live !== null && flow === live.flow;
    badge.hidden = !isLive;
    badge.replaceChildren(h('i', { class: live?.busy ? 'pulse' : '' }), live?.state ?? '');
    version.textContent = isLive ? `версия ${live.version}` : '';
    chartPane.classList.toggle('is-empty', flow === null);
    if (flow === null) return drawEmpty();
    if (drawn !== flow) {
      drawn = flow;
      view.setChart(await api.chartSvg(flow));
      if (drawn !== flow) return undefined;
    }
    return view.setLive(live && live.flow === flow ? live.state : null, live?.busy ?? false);
  }

  function drawPicker(flow) {
    const own = live ? `Сейчас: ${live.title}` : 'Диалог не начат';
    const options = flows
      .filter(({ id }) => id !== live?.flow)
      .map(({ id, title }) => h('option', { value: id, selected: id === flow }, title));
    picker.replaceChildren(h('option', { value: '', selected: chosen === null }, own), ...options);
  }

  function drawEmpty() {
    drawn = null;
    const cards = flows.map(({ id, title }) =>
      h(
        'button',
        {
          type: 'button',
          class: 'flow-card',
          onclick() {
            chosen = id;
            drawChart();
          },
        },
        icon('chart'),
        h('span', {}, h('b', {}, title), h('small', {}, id)),
      ),
    );
    empty.replaceChildren(
      h('div', { class: 'empty-art' }, icon('chart')),
      h('h2', {}, 'Сейчас ни один диалог не идёт'),
      h(
        'p',
        {},
        'Каждый диалог бота — конечный автомат. Начните любой в чате, и здесь появится его схема с текущим шагом. Или посмотрите схемы:',
      ),
      h('div', { class: 'flow-cards' }, cards),
    );
  }

  function drawContext() {
    if (!live) {
      contextPane.replaceChildren(h('p', { class: 'hint' }, 'Данные появятся, когда начнётся диалог.'));
      return;
    }
    contextPane.replaceChildren(
      h(
        'dl',
        { class: 'facts' },
        fact('Диалог', live.title),
        fact('Шаг', live.state),
        fact('Версия', String(live.version)),
      ),
      h('h2', {}, 'Контекст'),
      jsonTree(live.context, opened),
    );
  }
}

const arrivalFact = ({ name, value, url }) =>
  fact(
    name,
    url && isSafeUrl(url)
      ? h('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, value)
      : h('code', {}, value),
  );

const fact = (name, value) => h('div', {}, h('dt', {}, name), h('dd', {}, value));

function arrivalsPane({ id, facts = [], items, posts = [], deed, empty }, onDeed) {
  const head = [
    facts.length > 0 && h('dl', { class: 'facts' }, ...facts.map(arrivalFact)),
    deed && h('button', { type: 'button', class: 'deed', onclick: () => onDeed(id) }, deed.label),
  ];
  if (items.length + posts.length === 0)
    return h('section', { class: 'pane' }, head, h('p', { class: 'hint' }, empty));
  if (posts.length > 0) return h('section', { class: 'pane arrivals channel' }, head, posts.map(renderPost));
  const cards = items.map((item) =>
    h(
      'article',
      { class: 'arrival' },
      item.image && isSafeUrl(item.image) && h('img', { src: item.image, alt: '', loading: 'lazy' }),
      h(
        'h2',
        {},
        item.url && isSafeUrl(item.url)
          ? h('a', { href: item.url, target: '_blank', rel: 'noopener noreferrer' }, item.title)
          : item.title,
      ),
      h('time', {}, item.at),
      item.text && h('p', {}, item.text),
    ),
  );
  return h('section', { class: 'pane arrivals' }, head, cards);
}
