import * as api from './api.js';
import { h, icon } from './dom.js';
import { createShopBehind } from './shop-behind.js';
import { createShopChat } from './shop-chat.js';

const LOOK_EVERY_MS = 700;

/** The tab of the shop in MAX: a customer's chat, what the bot noted of it, the rules, and ways to break it. */
export function createShop() {
  let customer = 42_001;
  let chosen = 'chat';
  let timer = 0;
  const act = async (verb, body) => {
    await api.shopAct(customer, verb, body);
    await look();
  };
  const chat = createShopChat({ act });
  const behind = createShopBehind({ act });
  const people = h('select', { class: 'picker', 'aria-label': 'Кто пишет в магазин' });
  people.addEventListener('change', () => {
    customer = Number(people.value);
    look();
  });
  const sections = [
    { id: 'chat', title: 'Чат', nodes: [chat.element, behind.last] },
    { id: 'rules', title: 'Правила', nodes: [behind.rules] },
    { id: 'operators', title: 'Операторы', nodes: [chat.operators] },
    { id: 'faults', title: 'Сбои', nodes: [behind.faults] },
  ];
  const bar = h('div', { class: 'segments', role: 'group', 'aria-label': 'Что показать' });
  const body = h('div', { class: 'shop-body' });
  const head = h('div', { class: 'shop-head' }, icon('chat'), h('b', {}, 'Тёплый свет'), people);
  const element = h('section', { class: 'pane autopost-pane shop-pane' }, bar, head, body);
  choose(chosen);
  return { element, setActive };

  function setActive(active) {
    if (active === timer > 0) return;
    clearInterval(timer);
    timer = 0;
    if (!active) return;
    look();
    timer = setInterval(() => document.visibilityState === 'visible' && look(), LOOK_EVERY_MS);
  }

  function choose(id) {
    chosen = id;
    bar.replaceChildren(...sections.map(segment));
    body.replaceChildren(...sections.find((section) => section.id === chosen).nodes);
  }

  function segment({ id, title }) {
    const attributes = { type: 'button', class: 'segment', 'aria-pressed': String(id === chosen) };
    const onclick = () => {
      choose(id);
      look();
    };
    return h('button', { ...attributes, onclick }, title);
  }

  async function look() {
    const asked = customer;
    try {
      const state = await api.shop(asked);
      if (!state || asked !== customer) return;
      drawPeople(state.customers);
      chat.show(state);
      behind.show(state);
      if (chosen === 'rules') behind.showRules(await api.shopRules());
    } catch {
      // The process is away: the banner says so, and the next look finds it again.
    }
  }

  function drawPeople(customers) {
    if (people.options.length === customers.length) return;
    people.replaceChildren(
      ...customers.map(({ id, name }) => h('option', { value: String(id), selected: id === customer }, name)),
    );
  }
}
