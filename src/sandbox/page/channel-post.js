import { h, icon } from './dom.js';
import { isSafeUrl, renderText } from './entities.js';

const clock = new Intl.DateTimeFormat('ru', { timeStyle: 'medium' });
const isShowable = (url) => url.startsWith('/sandbox/') || isSafeUrl(url);

/** A post of a channel, whatever the messenger: pictures, text with its marks, files, buttons, time. */
export function renderPost({ at, text, entities, pictures, files, buttons }) {
  const album = pictures.filter(isShowable).map(picture);
  const bubble = h(
    'div',
    { class: 'bubble' },
    album.length > 0 && h('div', { class: `album of-${Math.min(album.length, 4)}` }, album),
    files.map(file),
    text && h('div', { class: 'text' }, renderText(text, entities)),
    h('span', { class: 'stamp' }, clock.format(at)),
  );
  return h('article', { class: 'message theirs' }, bubble, buttons.length > 0 && keyboard(buttons));
}

function picture(src) {
  const image = h('img', { src, alt: 'Картинка поста', loading: 'lazy' });
  return h('a', { href: src, target: '_blank', rel: 'noopener' }, image);
}

function file({ name, url }) {
  return h(
    'a',
    { class: 'chip', href: isShowable(url) ? url : undefined, download: name },
    h('span', { class: 'chip-icon' }, icon('file')),
    h('span', { class: 'chip-text' }, h('b', {}, name)),
  );
}

function keyboard(rows) {
  return h(
    'div',
    { class: 'keys' },
    rows.map((row) => h('div', { class: 'key-row' }, row.map(key))),
  );
}

function key({ text, url }) {
  const label = h('span', { class: 'label' }, text);
  if (!url || !isSafeUrl(url)) return h('span', { class: 'key' }, label);
  return h('a', { class: 'key', href: url, target: '_blank', rel: 'noopener noreferrer' }, label);
}
