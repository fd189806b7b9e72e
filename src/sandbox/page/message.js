import { fileUrl } from './api.js';
import { h, icon } from './dom.js';
import { isSafeUrl, renderText } from './entities.js';

const clock = new Intl.DateTimeFormat('ru', { hour: '2-digit', minute: '2-digit' });
const timeOf = (seconds) => clock.format(new Date(seconds * 1000));

/** One message as a row of the chat: its bubble, and the buttons under it. */
export function renderMessage(message, { unheard, isPressed, onPress, onPay, onTopUp, onCommand }) {
  const mine = !message.from?.is_bot;
  const bubble = h('div', { class: 'bubble' }, quoted(message), content(message, onCommand), stamp());
  if (isBare(message)) bubble.classList.add('bare');
  const row = h('article', { class: `message ${mine ? 'mine' : 'theirs'}` }, bubble);
  row.dataset.id = message.message_id;
  if (message.photo && !message.caption) bubble.classList.add('picture-only');
  if (message.reply_markup?.inline_keyboard.length) {
    row.classList.add('has-keys');
    row.append(keyboard(message, isPressed, { onPress, onPay, onTopUp }));
  }
  return row;

  function stamp() {
    const edited = message.edit_date && !mine ? 'изм. ' : '';
    const waits = unheard.has(message.message_id);
    const ticks =
      mine &&
      h(
        'span',
        { class: 'ticks', title: waits ? 'Отправлено' : 'Бот получил' },
        icon(waits ? 'check' : 'checks'),
      );
    return h('span', { class: 'stamp' }, `${edited}${timeOf(message.date)}`, ticks);
  }
}

const isBare = ({ sticker }) => sticker !== undefined;

function quoted({ reply_to_message: reply }) {
  if (!reply) return null;
  return h(
    'div',
    { class: 'quote' },
    h('b', {}, reply.from?.first_name ?? ''),
    h('span', {}, preview(reply)),
  );
}

function content(message, onCommand) {
  const parts = [];
  if (message.photo) parts.push(photo(message.photo.at(-1)));
  if (message.document) parts.push(documentChip(message.document));
  if (message.rich_message) parts.push(richText(message.rich_message.blocks));
  if (message.sticker) parts.push(h('div', { class: 'sticker' }, message.sticker.emoji));
  if (message.voice) parts.push(chip('mic', 'Голосовое сообщение', `0:0${message.voice.duration}`));
  if (message.video) parts.push(chip('photo', 'Видео', `0:0${message.video.duration}`));
  if (message.contact) parts.push(chip('user', message.contact.first_name, message.contact.phone_number));
  if (message.invoice) parts.push(invoiceCard(message.invoice));
  if (message.successful_payment) parts.push(paymentChip('Оплачено', message.successful_payment));
  if (message.refunded_payment) parts.push(paymentChip('Возвращено', message.refunded_payment));
  if (message.chat_shared) parts.push(chip('user', message.chat_shared.title ?? 'Канал', 'выбран'));
  if (message.location) {
    const { latitude, longitude } = message.location;
    parts.push(chip('pin', 'Геопозиция', `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`));
  }
  const text = message.text ?? message.caption;
  if (text) {
    const entities = message.entities ?? message.caption_entities;
    parts.push(h('div', { class: 'text' }, renderText(text, entities, onCommand)));
  }
  return parts;
}

function richText(blocks) {
  const shown = blocks.map((block) => {
    if (block.type === 'photo')
      return h('figure', {}, photo(block.photo.at(-1)), h('figcaption', {}, block.caption?.text ?? ''));
    return h(block.type === 'heading' ? `h${block.size}` : 'p', {}, block.text);
  });
  return h('div', { class: 'text rich' }, ...shown);
}

function photo({ file_id, width, height }) {
  const src = fileUrl(file_id);
  const image = h('img', { src, alt: 'Фотография', loading: 'lazy', width, height });
  return h('a', { class: 'photo', href: src, target: '_blank', rel: 'noopener' }, image);
}

function documentChip({ file_id, file_name = 'файл', file_size }) {
  return h(
    'a',
    { class: 'chip', href: fileUrl(file_id), download: file_name },
    h('span', { class: 'chip-icon' }, icon('file')),
    h('span', { class: 'chip-text' }, h('b', {}, file_name), h('small', {}, `${size(file_size)} · скачать`)),
  );
}

function chip(name, title, note) {
  return h(
    'div',
    { class: 'chip' },
    h('span', { class: 'chip-icon' }, icon(name)),
    h('span', { class: 'chip-text' }, h('b', {}, title), h('small', {}, note)),
  );
}

const paymentChip = (title, { total_amount }) => chip('check', title, `⭐️ ${total_amount}`);

function invoiceCard({ title, description, total_amount }) {
  return h(
    'div',
    { class: 'text' },
    h('b', {}, title),
    h('br'),
    description,
    h('br'),
    h('small', {}, `⭐️ ${total_amount}`),
  );
}

function size(bytes) {
  if (bytes < 1024) return `${bytes} Б`;
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1).replace('.', ',')} КБ`;
  return `${(bytes / 1024 ** 2).toFixed(1).replace('.', ',')} МБ`;
}

function keyboard(message, isPressed, deeds) {
  const rows = message.reply_markup.inline_keyboard.map((row) =>
    h(
      'div',
      { class: 'key-row' },
      row.map((button) => key(message, button, isPressed, deeds)),
    ),
  );
  return h('div', { class: 'keys' }, rows);
}

/** Telegram opens such a link as a bill, and such a one as its own shop for Stars. */
const BILL_LINK = 'https://t.me/$';
const STARS_LINK = 'tg://stars_topup?balance=';

function key(message, button, isPressed, { onPress, onPay, onTopUp }) {
  const look = `key ${button.style ? `style-${button.style}` : ''}`;
  const label = h('span', { class: 'label' }, button.text);
  if (button.url?.startsWith(BILL_LINK))
    return h('button', { type: 'button', class: look, onclick: () => onPay(message, button.url) }, label);
  if (button.url?.startsWith(STARS_LINK)) {
    const stars = Number(button.url.slice(STARS_LINK.length));
    return h('button', { type: 'button', class: look, onclick: () => onTopUp(stars) }, label);
  }
  if (button.url && isSafeUrl(button.url)) {
    const attributes = { class: look, href: button.url, target: '_blank', rel: 'noopener noreferrer' };
    return h('a', attributes, label, h('span', { class: 'corner' }, icon('out')));
  }
  if (button.pay) return h('button', { type: 'button', class: look, onclick: () => onPay(message) }, label);
  const data = button.callback_data;
  const turning = data !== undefined && isPressed(message.message_id, data);
  return h(
    'button',
    {
      type: 'button',
      class: `${look}${turning ? ' turning' : ''}`,
      'aria-busy': turning ? 'true' : undefined,
      disabled: data === undefined,
      onclick: () => !turning && onPress(message, data),
    },
    label,
    turning && h('span', { class: 'spinner', 'aria-hidden': 'true' }),
  );
}

/** A line for the list of chats. */
export function preview(message) {
  if (message.text) return message.text;
  const kinds = [
    ['photo', 'Фотография'],
    ['document', message.document?.file_name],
    ['invoice', `Счёт: ${message.invoice?.title}`],
    ['successful_payment', 'Оплата прошла'],
    ['refunded_payment', 'Оплата возвращена'],
    ['chat_shared', 'Выбран канал'],
    ['sticker', `Стикер ${message.sticker?.emoji}`],
    ['voice', 'Голосовое сообщение'],
    ['video', 'Видео'],
    ['location', 'Геопозиция'],
    ['contact', 'Контакт'],
  ];
  const kind = kinds.find(([name]) => message[name])?.[1] ?? 'Сообщение';
  return message.caption ? `${kind}, ${message.caption}` : kind;
}

export { timeOf };
