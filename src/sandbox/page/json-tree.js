import { h } from './dom.js';

const OPEN_DEPTH = 2;

/** A value to look into. What was opened stays open when the value changes: `opened` remembers paths. */
export function jsonTree(value, opened = new Map(), path = '', depth = 0) {
  if (value === null || typeof value !== 'object')
    return h(
      'span',
      { class: `json-${value === null ? 'null' : typeof value}` },
      JSON.stringify(value) ?? '—',
    );
  const entries = Object.entries(value);
  if (entries.length === 0) return h('span', { class: 'json-null' }, Array.isArray(value) ? '[ ]' : '{ }');
  const rows = entries.map(([key, inner]) => row(key, inner, opened, `${path}/${key}`, depth));
  return h('div', { class: 'json' }, rows);
}

function row(key, value, opened, path, depth) {
  const name = h('span', { class: 'json-key' }, key);
  const isBranch = value !== null && typeof value === 'object' && Object.keys(value).length > 0;
  if (!isBranch) return h('div', { class: 'json-row' }, name, jsonTree(value));
  const count = Object.keys(value).length;
  const note = h('span', { class: 'json-null' }, Array.isArray(value) ? `[${count}]` : `{${count}}`);
  const branch = h(
    'details',
    { open: opened.get(path) ?? depth < OPEN_DEPTH },
    h('summary', {}, name, note),
    jsonTree(value, opened, path, depth + 1),
  );
  branch.addEventListener('toggle', () => opened.set(path, branch.open));
  return branch;
}
