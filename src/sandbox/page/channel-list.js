import * as api from './api.js';
import { renderPost } from './channel-post.js';
import { avatar, h } from './dom.js';
import { toast } from './toast.js';

const clock = new Intl.DateTimeFormat('ru', { timeStyle: 'medium' });

/** Channels of one platform, each with its newest posts. Only what changed is drawn anew: opened ones stay open. */
export function createChannelList({ onChanged }) {
  const element = h('div', { class: 'channel-list' });
  const drawn = new Map();
  return { element, show };

  function show(channels, { held, moods }) {
    for (const [index, channel] of channels.entries()) {
      const trouble = held.find(({ channelId }) => channelId === channel.id)?.words ?? null;
      const seen = JSON.stringify([channel, trouble]);
      const before = drawn.get(channel.id);
      if (before?.seen === seen) continue;
      const node = card(channel, { trouble, moods, index, open: before?.node.open ?? false });
      if (before) before.node.replaceWith(node);
      else element.append(node);
      drawn.set(channel.id, { seen, node });
    }
  }

  function card(channel, { trouble, moods, index, open }) {
    const last = channel.newest[0];
    const said = last ? last.text || 'Картинка' : channel.tags.map((tag) => `#${tag}`).join(' ');
    return h(
      'details',
      { class: 'channel', open },
      h(
        'summary',
        { class: 'channel-head' },
        avatar({ id: index, first_name: channel.title }),
        h('b', {}, channel.title),
        h('time', {}, last ? clock.format(last.at) : ''),
        trouble ? h('small', { class: 'trouble' }, trouble) : h('small', {}, said),
        channel.posts > 0 &&
          h('span', { class: 'badge', 'aria-label': `Постов: ${channel.posts}` }, String(channel.posts)),
      ),
      h(
        'div',
        { class: 'channel-tools' },
        h('label', {}, 'Поведение', moodPicker(channel, moods)),
        trouble && h('button', { type: 'button', class: 'link-button', onclick: resume }, 'Вернуть в работу'),
      ),
      h(
        'div',
        { class: 'channel-wall' },
        channel.newest.length > 0
          ? channel.newest.map(renderPost)
          : h('p', { class: 'channel-empty' }, 'Постов ещё нет'),
      ),
    );

    function resume() {
      return attempt(() => api.resumeChannel(channel.id));
    }
  }

  function moodPicker({ id, mood }, moods) {
    const picker = h(
      'select',
      { class: 'picker' },
      moods.map((one) => h('option', { value: one.id, selected: one.id === mood }, one.title)),
    );
    picker.addEventListener('change', () => attempt(() => api.setChannelMood(id, picker.value)));
    return picker;
  }

  async function attempt(deed) {
    try {
      await deed();
      onChanged();
    } catch (error) {
      toast(error instanceof TypeError ? 'Нет связи с процессом' : error.message, 'bad');
    }
  }
}
