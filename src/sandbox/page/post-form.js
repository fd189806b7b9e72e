import * as api from './api.js';
import { h } from './dom.js';

const SAMPLE = `<b>Открыли набережную!</b>

В субботу в 12:00 — концерт и ярмарка, вход свободный. <i>Приходите с детьми.</i>`;

const TAGS = ['новости', 'город', 'события', 'акции', 'еда', 'авто', 'дети', 'погода', 'подарки'];

/** One post to every channel that wants it: the same request that a site or a script would make. */
export function createPostForm({ onSent }) {
  const text = h('textarea', { name: 'text', rows: 4, maxlength: 8192, 'aria-label': 'Текст поста' });
  text.value = SAMPLE;
  const mode = h(
    'select',
    { class: 'picker', name: 'parse_mode' },
    ...['HTML', 'Markdown', 'None'].map(option),
  );
  const picture = h('input', { name: 'picture', type: 'url', placeholder: 'https://…', autocomplete: 'off' });
  const sample = h('button', { type: 'button', class: 'link-button' }, 'взять для примера');
  sample.addEventListener('click', () => {
    picture.value = new URL('/sandbox/api/autopost/picture.png', location.href).href;
  });
  const tags = h('input', { name: 'tags', value: 'новости, город, события', autocomplete: 'off' });
  const send = h('button', { type: 'submit', class: 'big-button' }, 'Отправить пост');
  const answer = h('div', { class: 'answer', role: 'status', hidden: true });
  const form = h(
    'form',
    { class: 'post-form' },
    h('h3', {}, 'Отправить пост во все каналы'),
    h('p', { class: 'hint' }, 'Канал берёт пост, если его фильтру подходят метки. Два канала берут всё.'),
    text,
    h(
      'div',
      { class: 'post-fields' },
      h('label', {}, 'Разметка', mode),
      h('label', { class: 'wide' }, h('span', {}, 'Адрес картинки · ', sample), picture),
    ),
    h('label', {}, 'Метки через запятую', tags),
    h('div', { class: 'tag-row' }, TAGS.map(tagButton)),
    send,
    answer,
  );
  let secret = '';
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  return {
    element: form,
    setSecret(next) {
      secret = next;
    },
  };

  function tagButton(tag) {
    const button = h('button', { type: 'button', class: 'tag', onclick: () => toggle(tag) }, tag);
    tags.addEventListener('input', mark);
    mark();
    return button;

    function mark() {
      button.setAttribute('aria-pressed', String(chosenTags().includes(tag)));
    }
  }

  function toggle(tag) {
    const chosen = chosenTags();
    const next = chosen.includes(tag) ? chosen.filter((one) => one !== tag) : [...chosen, tag];
    tags.value = next.join(', ');
    tags.dispatchEvent(new Event('input'));
  }

  function chosenTags() {
    return tags.value
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean);
  }

  async function submit() {
    send.disabled = true;
    const url = picture.value.trim();
    const { ok, body } = await api.ingest(secret, {
      text: text.value,
      parse_mode: mode.value,
      tags: chosenTags(),
      ...(url && { media: [{ type: 'image', url }] }),
    });
    send.disabled = false;
    answer.hidden = false;
    answer.className = `answer ${ok ? 'good' : 'bad'}`;
    answer.replaceChildren(
      h('b', {}, ok ? acceptedWords(body) : refusedWords(body)),
      h('details', {}, h('summary', {}, 'Ответ целиком'), h('pre', {}, JSON.stringify(body, null, 2))),
    );
    onSent();
  }
}

const option = (value) => h('option', { value }, value === 'None' ? 'Без разметки' : value);

function acceptedWords({ queued, suppressed, rejected }) {
  const more = [suppressed > 0 && `уже был в ${suppressed}`, rejected > 0 && `не подошёл для ${rejected}`];
  return [`Принят, каналов в очереди: ${queued ?? 0}`, ...more.filter(Boolean)].join(', ');
}

const refusedWords = (body) => `Не принят: ${body?.message ?? body?.error ?? 'нет связи с процессом'}`;
