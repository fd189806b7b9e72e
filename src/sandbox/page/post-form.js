import * as api from './api.js';
import { h } from './dom.js';

const SAMPLE = `<b>Открыли набережную!</b>

В субботу в 12:00 — концерт и ярмарка, вход свободный. <i>Приходите с детьми.</i>`;

const PLATFORMS = { telegram: 'Telegram', max: 'MAX' };

/** The first one reaches every channel of the demo, each of the others a few. */
const TO_ALL = 'всем';
const TAGS = [
  'новости',
  'город',
  'события',
  'акции',
  'авто',
  'дети',
  'погода',
  'здоровье',
  'животные',
  'listing',
];

/** One post to every channel that wants it: the same request that a site or a script would make. */
export function createPostForm({ onSent }) {
  const text = h('textarea', { name: 'text', rows: 4, maxlength: 8192, 'aria-label': 'Текст поста' });
  text.value = SAMPLE;
  const mode = h(
    'select',
    { class: 'picker', name: 'parse_mode' },
    h('option', {}, 'HTML'),
    h('option', {}, 'Markdown'),
    h('option', { value: '' }, 'Без разметки'),
  );
  const picture = h('input', {
    name: 'picture',
    type: 'url',
    placeholder: 'https://…',
    autocomplete: 'off',
    'aria-label': 'Адрес картинки',
  });
  const sample = h('button', { type: 'button', class: 'link-button' }, 'взять пример');
  sample.addEventListener('click', () => {
    picture.value = new URL('/sandbox/api/autopost/picture.png', location.href).href;
  });
  const tags = h('input', { name: 'tags', value: TO_ALL, autocomplete: 'off' });
  const send = h('button', { type: 'submit', class: 'big-button' }, 'Отправить пост');
  const answer = h('div', { class: 'answer', role: 'status', hidden: true });
  const form = h(
    'form',
    { class: 'post-form' },
    h('h2', {}, 'Отправить пост в каналы'),
    text,
    h(
      'div',
      { class: 'post-fields' },
      h('label', {}, 'Разметка', mode),
      h('div', { class: 'labelled wide' }, h('span', {}, 'Картинка · ', sample), picture),
    ),
    h('label', {}, 'Метки: по ним каналы берут посты', tags),
    h('div', { class: 'tag-row' }, [TO_ALL, ...TAGS].map(tagButton)),
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
      tags: chosenTags(),
      ...(mode.value && { parse_mode: mode.value }),
      ...(url && { media: [{ type: 'image', url }] }),
    });
    send.disabled = false;
    answer.hidden = false;
    const isTaken = ok && suitsSome(body);
    answer.className = `answer ${isTaken ? 'good' : 'bad'}`;
    answer.replaceChildren(
      h('b', {}, ok ? acceptedWords(body) : refusedWords(body)),
      ...reasonLines(body),
      h('details', {}, h('summary', {}, 'Ответ целиком'), h('pre', {}, JSON.stringify(body, null, 2))),
    );
    onSent();
  }
}

/** Accepted, but no channel matches: without a word the sender would wait for a post that never comes. */
const suitsSome = ({ dropped, queued, suppressed }) => Boolean(dropped) || queued + suppressed > 0;

const reasonLines = (body) =>
  (body?.rejections ?? []).map(({ platform, reason }) =>
    h('p', { class: 'reason' }, `${PLATFORMS[platform] ?? platform}: ${reason}`),
  );

function acceptedWords({ dropped, queued, suppressed, rejected }) {
  if (dropped) return 'Такой запрос только что был: второй раз не принят';
  if (queued + suppressed === 0)
    return rejected > 0
      ? 'Пост никуда не уйдёт: он не подошёл ни одному каналу'
      : 'Пост никуда не уйдёт: ни один канал не берёт посты с такими метками';
  const more = [suppressed > 0 && `уже был в ${suppressed}`, rejected > 0 && `не подошёл для ${rejected}`];
  return [`Принят, каналов в очереди: ${queued}`, ...more.filter(Boolean)].join(', ');
}

function refusedWords(body) {
  const problems = (body?.problems ?? []).map(
    ({ field, problem }) => `${field ? `${field}: ` : ''}${problem}`,
  );
  return [body?.message ?? body?.error ?? 'Нет связи с процессом', ...problems].join(' ');
}
