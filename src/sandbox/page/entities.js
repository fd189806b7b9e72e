import { h } from './dom.js';

const TAGS = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strikethrough: 's',
  code: 'code',
  pre: 'pre',
  blockquote: 'blockquote',
  expandable_blockquote: 'blockquote',
};

/**
 * Text with its entities as nodes. Offsets are in UTF-16 units, which is how JavaScript counts too. The text only
 * ever becomes text nodes: whatever it contains, it is shown and never run.
 */
export function renderText(text, entities = [], onCommand = () => {}) {
  const inOrder = [...entities].sort((a, b) => a.offset - b.offset || b.length - a.length);
  return build(0, text.length, inOrder);

  function build(from, to, within) {
    const nodes = document.createDocumentFragment();
    let at = from;
    let index = 0;
    while (index < within.length) {
      const entity = within[index];
      const end = Math.min(entity.offset + entity.length, to);
      const inner = [];
      for (index += 1; index < within.length && within[index].offset < end; index += 1)
        inner.push(within[index]);
      if (entity.offset < at || end <= at) continue;
      nodes.append(text.slice(at, entity.offset));
      const wrapper = wrap(entity, text.slice(entity.offset, end));
      wrapper.append(build(entity.offset, end, inner));
      nodes.append(wrapper);
      at = end;
    }
    nodes.append(text.slice(at, to));
    return nodes;
  }

  function wrap(entity, words) {
    switch (entity.type) {
      case 'text_link':
        return link(entity.url);
      case 'url':
        return link(words);
      case 'email':
        return link(`mailto:${words}`);
      case 'bot_command':
        return h('button', { type: 'button', class: 'command', onclick: () => onCommand(words) });
      case 'mention':
      case 'text_mention':
      case 'hashtag':
        return h('span', { class: 'mention' });
      case 'spoiler':
        return spoiler();
      default:
        return h(TAGS[entity.type] ?? 'span', {
          class: entity.type === 'expandable_blockquote' ? 'expandable' : undefined,
        });
    }
  }
}

export function isSafeUrl(url) {
  return URL.canParse(url) && /^(https?|mailto|tel|tg):$/.test(new URL(url).protocol);
}

function link(url) {
  if (!isSafeUrl(url)) return h('span');
  return h('a', { href: url, target: '_blank', rel: 'noopener noreferrer' });
}

function spoiler() {
  const cover = h('span', { class: 'spoiler', role: 'button', tabindex: '0', 'aria-label': 'Скрытый текст' });
  const open = () => {
    cover.classList.add('open');
    cover.removeAttribute('role');
    cover.removeAttribute('aria-label');
  };
  cover.addEventListener('click', open);
  cover.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' || event.key === ' ') open();
  });
  return cover;
}
