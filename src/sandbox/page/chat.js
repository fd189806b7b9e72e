import { byId, h } from './dom.js';
import { renderMessage } from './message.js';

const day = new Intl.DateTimeFormat('ru', { day: 'numeric', month: 'long' });
const NEAR_END_PX = 120;

/** The list of messages: only what has changed is drawn again, so that nothing jumps and focus stays. */
export function createChat({ onPress, onPay, onTopUp, onCommand }) {
  const wall = byId('messages');
  const toEnd = byId('to-end');
  const pressed = new Set();
  let shownFor = null;
  let last = null;
  let follow = true;
  const rows = new Map();
  const albums = new Map();
  const typing = h(
    'div',
    { class: 'message theirs typing', 'aria-label': 'Бот печатает' },
    h('div', { class: 'bubble' }, h('i'), h('i'), h('i')),
  );

  toEnd.addEventListener('click', () => scrollToEnd('smooth'));
  wall.addEventListener('scroll', () => {
    toEnd.hidden = isNearEnd();
  });
  // A picture that loads, or a keyboard that opens, must not push the end out of sight.
  new ResizeObserver(() => follow && scrollToEnd('instant')).observe(wall);
  wall.addEventListener('load', () => follow && scrollToEnd('instant'), true);

  return { show, setTyping, press };

  function show(personId, data) {
    const switched = shownFor !== personId;
    if (switched) {
      rows.clear();
      albums.clear();
      wall.replaceChildren();
      shownFor = personId;
    }
    const atEnd = switched || isNearEnd();
    const grew = data.messages.at(-1)?.message_id !== last?.messages.at(-1)?.message_id;
    last = data;
    draw(switched);
    follow = atEnd || (grew && !data.messages.at(-1)?.from?.is_bot);
    if (follow) scrollToEnd(switched || !grew ? 'instant' : 'smooth');
    toEnd.hidden = isNearEnd() || follow;
  }

  function draw(quiet) {
    const unheard = new Set(last.unheard);
    const wanted = [];
    let previous = null;
    last.messages.forEach((message, index) => {
      const date = day.format(new Date(message.date * 1000));
      if (!previous || day.format(new Date(previous.date * 1000)) !== date) wanted.push(dateRow(date));
      const row = rowOf(message, unheard, quiet);
      const next = last.messages[index + 1];
      row.classList.toggle(
        'tail',
        !next || isMine(next) !== isMine(message) || Boolean(message.reply_markup),
      );
      row.classList.toggle('first', !previous || isMine(previous) !== isMine(message));
      const group = message.media_group_id;
      if (!group) wanted.push(row);
      else if (group === previous?.media_group_id) wanted.at(-1).rows.push(row);
      else wanted.push({ group, mine: isMine(message), rows: [row] });
      previous = message;
    });
    const kept = new Set(last.messages.map(({ message_id }) => message_id));
    for (const id of [...rows.keys()]) if (!kept.has(id)) rows.delete(id);
    if (wall.contains(typing)) wanted.push(typing);
    place(wanted.map((node) => (node.group ? albumOf(node) : node)));
  }

  /** Photos that came together stand together. */
  function albumOf({ group, mine, rows: members }) {
    const album =
      albums.get(group) ??
      h('div', { class: `photo-album ${mine ? 'mine' : 'theirs'}`, 'aria-label': 'Альбом' });
    albums.set(group, album);
    if (members.length !== album.children.length || members.some((row, i) => album.children[i] !== row))
      album.replaceChildren(...members);
    return album;
  }

  function rowOf(message, unheard, quiet) {
    const turning = [...pressed].filter((key) => key.startsWith(`${message.message_id} `));
    const signature = JSON.stringify([message, unheard.has(message.message_id), turning]);
    const known = rows.get(message.message_id);
    if (known?.signature === signature) return known.row;
    const row = renderMessage(message, {
      unheard,
      isPressed: (id, data) => pressed.has(`${id} ${data}`),
      onPress,
      onPay,
      onTopUp,
      onCommand,
    });
    if (!known && !quiet) row.classList.add('new');
    if (known) keepFocus(known.row, row);
    rows.set(message.message_id, { signature, row });
    return row;
  }

  function place(wanted) {
    wanted.forEach((node, index) => {
      const there = wall.children[index];
      if (there === node) return;
      if (node.dataset.date && there?.dataset.date === node.dataset.date) return;
      if (there && node.dataset.id && there.dataset.id === node.dataset.id) there.replaceWith(node);
      else wall.insertBefore(node, there ?? null);
    });
    while (wall.children.length > wanted.length) wall.lastChild.remove();
  }

  /** The button stays pressed until `answered` settles, whatever happens to the message meanwhile. */
  async function press(messageId, data, answered) {
    const key = `${messageId} ${data}`;
    pressed.add(key);
    draw(true);
    try {
      return await answered;
    } finally {
      pressed.delete(key);
      draw(true);
    }
  }

  function setTyping(on) {
    if (on === wall.contains(typing)) return;
    const atEnd = isNearEnd();
    if (on) wall.append(typing);
    else typing.remove();
    if (atEnd) scrollToEnd('smooth');
  }

  function isNearEnd() {
    return wall.scrollHeight - wall.scrollTop - wall.clientHeight < NEAR_END_PX;
  }

  function scrollToEnd(behavior) {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    wall.scrollTo({ top: wall.scrollHeight, behavior: still ? 'instant' : behavior });
  }
}

const isMine = (message) => !message.from?.is_bot;

function dateRow(date) {
  const today = day.format(new Date()) === date;
  const row = h('div', { class: 'date' }, h('span', {}, today ? 'Сегодня' : date));
  row.dataset.date = date;
  return row;
}

/** Keeps the focus on the button that was pressed by keyboard when the message is drawn again. */
function keepFocus(before, after) {
  if (!before.contains(document.activeElement)) return;
  const index = [...before.querySelectorAll('.key')].indexOf(document.activeElement);
  if (index >= 0) queueMicrotask(() => after.querySelectorAll('.key')[index]?.focus({ preventScroll: true }));
}
