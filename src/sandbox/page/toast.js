import { byId, h } from './dom.js';
import { isSafeUrl } from './entities.js';

const SHOWN_MS = 3200;

export function toast(text, look = '') {
  const node = h('div', { class: `toast ${look}` }, text);
  byId('toasts').replaceChildren(node);
  setTimeout(() => node.remove(), Math.max(SHOWN_MS, text.length * 60));
}

/** What the bot said to a press: a toast, a window that must be closed, or an address to open. */
export function showAnswer(answer) {
  if (answer === null) return toast('Бот не ответил на нажатие', 'bad');
  if (answer.url && isSafeUrl(answer.url)) window.open(answer.url, '_blank', 'noopener');
  if (!answer.text) return undefined;
  if (!answer.show_alert) return toast(answer.text);
  byId('alert-text').textContent = answer.text;
  byId('alert').showModal();
  return undefined;
}
