import { h, icon } from './dom.js';

const ARM_MS = 3500;

/** A button that opens a list. Items: { label, icon, note, danger, twice, run }; `twice` asks for a second press. */
export function createMenu(button, menu, items) {
  button.addEventListener('click', () => (menu.hidden ? open() : close()));
  document.addEventListener('pointerdown', (event) => {
    if (!menu.hidden && !menu.contains(event.target) && !button.contains(event.target)) close();
  });
  menu.addEventListener('keydown', (event) => {
    const entries = [...menu.querySelectorAll('button')];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') close(true);
    if (!step) return;
    event.preventDefault();
    const index = entries.indexOf(document.activeElement);
    entries.at((index + step) % entries.length)?.focus();
  });
  return { open, close };

  function open() {
    menu.replaceChildren(...items().map(entry));
    menu.hidden = false;
    button.setAttribute('aria-expanded', 'true');
    menu.querySelector('button')?.focus();
  }

  function close(back = false) {
    menu.hidden = true;
    button.setAttribute('aria-expanded', 'false');
    if (back) button.focus();
  }

  function entry(item) {
    const label = h('span', { class: 'menu-label' }, item.label);
    const look = `menu-item ${item.danger ? 'danger' : ''}`;
    const node = h(
      'button',
      { type: 'button', role: 'menuitem', class: look },
      item.icon && icon(item.icon),
      label,
      item.note && h('small', {}, item.note),
    );
    let armed = !item.twice;
    node.addEventListener('click', () => {
      if (armed) {
        close(true);
        item.run();
        return;
      }
      armed = true;
      node.classList.add('armed');
      label.textContent = 'Точно? Нажмите ещё раз';
      setTimeout(() => {
        armed = false;
        node.classList.remove('armed');
        label.textContent = item.label;
      }, ARM_MS);
    });
    return node;
  }
}
