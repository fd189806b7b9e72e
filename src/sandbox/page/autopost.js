import * as api from './api.js';
import { createAutopostOverview } from './autopost-overview.js';
import { createChannelList } from './channel-list.js';
import { h } from './dom.js';
import { createPostForm } from './post-form.js';

const LOOK_EVERY_MS = 1000;

/** The tab of autoposting: a post to send, what becomes of it, and every channel as its readers see it. */
export function createAutopost() {
  const form = createPostForm({ onSent: look });
  const overview = createAutopostOverview();
  const lists = {
    telegram: createChannelList({ onChanged: look }),
    max: createChannelList({ onChanged: look }),
  };
  const sections = [
    { id: 'overview', title: 'Обзор', nodes: [form.element, overview.element] },
    { id: 'telegram', title: 'Каналы Telegram', nodes: [lists.telegram.element] },
    { id: 'max', title: 'Чаты MAX', nodes: [lists.max.element] },
  ];
  const bar = h('div', { class: 'segments', role: 'group', 'aria-label': 'Что показать' });
  const body = h('div', { class: 'autopost-body' });
  const element = h('section', { class: 'pane autopost-pane' }, bar, body);
  let chosen = 'overview';
  let timer = 0;
  choose(chosen);
  return { element, setActive };

  /** Looks for news while it is looked at. */
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
    bar.replaceChildren(
      ...sections.map((section) =>
        h(
          'button',
          {
            type: 'button',
            class: 'segment',
            'aria-pressed': String(section.id === chosen),
            onclick() {
              choose(section.id);
              look();
            },
          },
          section.title,
        ),
      ),
    );
    body.replaceChildren(...sections.find((section) => section.id === chosen).nodes);
    element.scrollTop = 0;
  }

  async function look() {
    try {
      const state = await api.autopost();
      if (!state) return;
      form.setSecret(state.ingestSecret);
      if (chosen === 'overview') overview.show(state);
      else lists[chosen].show(await api.channels(chosen), state);
    } catch {
      // The process is away: the banner says so, and the next look finds it again.
    }
  }
}
