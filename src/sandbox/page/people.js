import { avatar, byId, h } from './dom.js';
import { preview, timeOf } from './message.js';

const READ_KEY = 'sandbox.read';

/** The column of people: whom you are, who has unread answers. */
export function createPeople({ onChoose }) {
  const list = byId('people');
  const read = loadRead();
  return { show, markRead };

  function show(chats, current) {
    const items = chats.map(({ person, last, botMessageIds, purse }) => {
      const unread = botMessageIds.filter((id) => id > (read[person.id] ?? 0)).length;
      return item({ ...person, purse }, last, person.id === current ? 0 : unread, person.id === current);
    });
    list.replaceChildren(...items);
  }

  function item(person, last, unread, active) {
    const said = last ? preview(last) : 'Сообщений пока нет';
    const button = h(
      'button',
      {
        type: 'button',
        class: 'person',
        'aria-current': active ? 'true' : undefined,
        title: `${person.first_name}, в кошельке ⭐️ ${person.purse}`,
      },
      avatar(person),
      h('b', {}, [person.first_name, person.last_name].filter(Boolean).join(' ')),
      h('time', {}, last ? timeOf(last.date) : ''),
      h(
        'small',
        { class: unread > 0 ? undefined : 'wide' },
        last && !last.from?.is_bot ? `Вы: ${said}` : said,
      ),
      unread > 0 &&
        h(
          'span',
          { class: 'badge', 'aria-label': `Непрочитанных: ${unread}` },
          unread > 98 ? '99+' : String(unread),
        ),
    );
    button.addEventListener('click', () => onChoose(person.id));
    return h('li', {}, button);
  }

  function markRead(id, messageId) {
    if ((read[id] ?? 0) >= messageId) return;
    read[id] = messageId;
    localStorage.setItem(READ_KEY, JSON.stringify(read));
  }
}

function loadRead() {
  try {
    return JSON.parse(localStorage.getItem(READ_KEY)) ?? {};
  } catch {
    return {};
  }
}
