import { byId, h } from './dom.js';
import { createMenu } from './menu.js';

const DEFAULT_COMMANDS = [
  { command: 'start', description: 'Главное меню' },
  { command: 'help', description: 'Как пользоваться' },
  { command: 'cancel', description: 'Отменить действие' },
];

/** Everything below the messages: the input, files, the list of commands, the bot's reply keyboard. */
export function createComposer({ onSay, onFiles, onAct, onShare, channels, commands }) {
  const form = byId('form');
  const text = byId('text');
  const file = byId('file');
  const keysButton = byId('keys');
  const replyKeys = byId('reply-keys');
  const begin = byId('begin');
  let keysWanted = true;
  let keyboardShown = '';
  let onBegin = () => {};

  createMenu(byId('commands'), byId('commands-menu'), () =>
    (commands().length ? commands() : DEFAULT_COMMANDS).map(({ command, description }) => ({
      label: description,
      note: `/${command}`,
      run: () => onSay(`/${command}`),
    })),
  );
  createMenu(byId('attach'), byId('attach-menu'), () => [
    { label: 'Фотографии', icon: 'photo', run: () => choose('image/png,image/jpeg,image/webp') },
    { label: 'Файл', icon: 'file', run: () => choose('') },
    { label: 'Стикер', icon: 'sticker', run: () => onAct('sticker') },
    { label: 'Голосовое', icon: 'mic', run: () => onAct('voice') },
    { label: 'Геопозиция', icon: 'pin', run: () => onAct('location') },
    { label: 'Контакт', icon: 'user', run: () => onAct('contact') },
  ]);

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const said = text.value.trim();
    if (said === '') return text.focus();
    text.value = '';
    grow();
    onSay(said);
  });
  text.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  text.addEventListener('input', grow);
  text.addEventListener('paste', (event) => {
    if (event.clipboardData?.files.length) {
      event.preventDefault();
      sendFiles(event.clipboardData.files);
    }
  });
  file.addEventListener('change', () => {
    sendFiles(file.files);
    file.value = '';
  });
  keysButton.addEventListener('click', () => {
    keysWanted = !keysWanted;
    showKeys();
  });
  begin.addEventListener('click', () => onBegin());
  takeDrops();

  return { show, focus: () => text.focus({ preventScroll: true }) };

  /** Before the first word there is nothing but «Начать», as in Telegram. */
  function show({ keyboard, isNew, isBlocked, onUnblock }) {
    form.hidden = isNew || isBlocked;
    begin.hidden = !isNew && !isBlocked;
    begin.textContent = isBlocked ? 'Разблокировать' : 'Начать';
    onBegin = isBlocked ? onUnblock : () => onSay('/start');
    const signature = JSON.stringify(keyboard);
    if (signature !== keyboardShown) {
      keyboardShown = signature;
      keysWanted = true;
      replyKeys.replaceChildren(
        ...(keyboard?.keyboard ?? []).map((row) => keyRow(row, keyboard.one_time_keyboard)),
      );
      text.placeholder = keyboard?.input_field_placeholder ?? 'Сообщение';
    }
    showKeys();
  }

  function keyRow(row, oneTime) {
    const buttons = row.map((button) =>
      h(
        'button',
        {
          type: 'button',
          class: `reply-key ${button.style ? `style-${button.style}` : ''}`,
          onclick() {
            if (oneTime) keysWanted = false;
            showKeys();
            if (button.request_chat) chooseChannel(button.request_chat.request_id);
            else onSay(button.text);
          },
        },
        button.text,
      ),
    );
    return h('div', { class: 'key-row' }, buttons);
  }

  /** Telegram opens a list of the channels in which the person is an administrator. */
  async function chooseChannel(requestId) {
    const dialog = byId('channel-dialog');
    const list = await channels();
    const rows = list.map(({ id, title }) =>
      h(
        'button',
        {
          type: 'button',
          class: 'menu-item',
          onclick() {
            dialog.close();
            onShare(requestId, id);
          },
        },
        title,
      ),
    );
    byId('channel-choice').replaceChildren(...(rows.length > 0 ? rows : [h('p', {}, 'Каналов пока нет')]));
    dialog.showModal();
  }

  function showKeys() {
    const has = replyKeys.children.length > 0 && !form.hidden;
    keysButton.hidden = !has;
    keysButton.setAttribute('aria-pressed', String(keysWanted));
    replyKeys.hidden = !has || !keysWanted;
  }

  function choose(accept) {
    file.accept = accept;
    file.click();
  }

  function sendFiles(list) {
    const files = [...list];
    if (files.length === 0) return;
    const caption = text.value.trim();
    text.value = '';
    grow();
    onFiles(files, caption);
  }

  function grow() {
    text.style.height = 'auto';
    text.style.height = `${Math.min(text.scrollHeight, 160)}px`;
  }

  function takeDrops() {
    const wall = byId('wall');
    const drop = byId('drop');
    let depth = 0;
    const over = (by) => {
      depth = Math.max(0, depth + by);
      drop.hidden = depth === 0;
    };
    wall.addEventListener('dragenter', (event) => event.dataTransfer?.types.includes('Files') && over(1));
    wall.addEventListener('dragleave', () => over(-1));
    wall.addEventListener('dragover', (event) => event.preventDefault());
    wall.addEventListener('drop', (event) => {
      event.preventDefault();
      over(-depth);
      sendFiles(event.dataTransfer?.files ?? []);
    });
  }
}
