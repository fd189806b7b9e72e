import { h, icon } from './dom.js';
import { isSafeUrl, renderText } from './entities.js';

const clock = new Intl.DateTimeFormat('ru', { timeStyle: 'short' });
const EXAMPLES = [
  'Сколько стоит доставка?',
  'Хочу вернуть лампу',

  'оператор',
  'отмена',
];
/** Drawn by the sandbox itself: a photo that needs no file. */
const PHOTO = '/sandbox/api/autopost/picture.png';

/** A customer's chat with the shop's bot, and the chat in which its operators read. */
export function createShopChat({ act }) {
  const messages = h('div', { class: 'shop-messages', role: 'log', 'aria-label': 'Чат с магазином' });
  const text = h('input', {
    name: 'text',
    placeholder: 'Напишите магазину',
    'aria-label': 'Сообщение магазину',
    autocomplete: 'off',
    maxlength: 4000,
  });
  const photo = h(
    'button',
    {
      type: 'button',
      class: 'icon-button',
      'aria-label': 'Послать фото',
      title: 'Послать фото',
      onclick: () => act('photo', { url: new URL(PHOTO, location.href).href }),
    },
    icon('photo'),
  );
  const send = h(
    'button',
    { type: 'submit', class: 'send', 'aria-label': 'Отправить магазину' },
    icon('send'),
  );
  const form = h('form', { class: 'shop-form' }, photo, text, send);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const said = text.value.trim();
    if (said === '') return;
    text.value = '';
    act('say', { text: said });
  });
  const examples = h(
    'div',
    { class: 'tag-row' },
    EXAMPLES.map((words) =>
      h('button', { type: 'button', class: 'tag', onclick: () => act('say', { text: words }) }, words),
    ),
  );
  const element = h('div', { class: 'shop-chat' }, messages, examples, form);
  const lines = h('div', { class: 'shop-messages', role: 'log', 'aria-label': 'Чат операторов' });
  let shown = '';
  return { element, operators: h('div', { class: 'shop-chat' }, lines), show };

  function show(state) {
    const seen = JSON.stringify([state.messages, state.operators]);
    if (seen === shown) return;
    shown = seen;
    fill(messages, state.messages, 'Напишите что-нибудь или выберите пример ниже: ответит бот магазина.');
    fill(lines, state.operators, 'Сюда приходят возвраты и вопросы, на которые бот не ответил.');
  }

  function fill(into, list, hint) {
    into.replaceChildren(...(list.length > 0 ? list.map(bubble) : [h('p', { class: 'hint' }, hint)]));
    into.scrollTop = into.scrollHeight;
  }

  function bubble({ id, at, text: words, entities, pictures, mine, buttons }) {
    return h(
      'article',
      { class: `message ${mine ? 'mine' : 'theirs'}` },
      h(
        'div',
        { class: 'bubble' },
        pictures
          .filter((url) => isSafeUrl(url))
          .map((src) => h('img', { src, alt: 'Фото', class: 'shop-photo', loading: 'lazy' })),
        words && h('div', { class: 'text' }, renderText(words, entities)),
        h('span', { class: 'stamp' }, clock.format(at)),
      ),
      buttons.length > 0 &&
        h(
          'div',
          { class: 'keys' },
          buttons.map((row) =>
            h(
              'div',
              { class: 'key-row' },
              row.map((button) => key(id, button)),
            ),
          ),
        ),
    );
  }

  function key(mid, { text: label, payload }) {
    const onclick = () => act('press', { mid, payload });
    return h('button', { type: 'button', class: 'key', onclick }, h('span', { class: 'label' }, label));
  }
}
