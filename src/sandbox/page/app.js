import * as api from './api.js';
import { createChat } from './chat.js';
import { createComposer } from './composer.js';
import { byId, calmly, h, icon } from './dom.js';
import { createMenu } from './menu.js';
import { createPeople } from './people.js';
import { createSide } from './side.js';
import { showAnswer, toast } from './toast.js';

const PERSON_KEY = 'sandbox.person';
const SIDE_KEY = 'sandbox.side';
const ACTION_SHOWN_MS = 5000;
const TYPING_DELAY_MS = 200;
const LIVE_EVERY_MS = 2500;

let current = Number(localStorage.getItem(PERSON_KEY)) || 0;
let chats = [];
let status = { bot: null, connected: true, commands: [], pending: {} };
let live = null;
let actionUntil = 0;
let typingTimer = 0;
let isLost = false;

const side = createSide({
  onDeed: (panel) => attempt(() => api.arrivalDeed(current, panel)).then(loadArrivals),
});
const people = createPeople({ onChoose: choose });
const chat = createChat({ onPress: press, onPay: pay, onTopUp: topUp, onCommand: say });
const composer = createComposer({
  onSay: say,
  onFiles: sendFiles,
  onShare: share,
  channels: async () =>
    (await api.sharedChannels()).filter(({ members }) => isAdministrator(members[current])),
  onAct: (verb) => attempt(() => api.act(current, verb)),
  commands: () => status.commands,
});

createMenu(byId('more'), byId('more-menu'), () => {
  const blocked = person()?.blocked;
  return [
    {
      label: blocked ? 'Разблокировать бота' : 'Заблокировать бота',
      icon: 'block',
      run: () => attempt(() => api.act(current, blocked ? 'unblock' : 'block')),
    },
    {
      label: 'Очистить этот чат',
      icon: 'broom',
      twice: true,
      danger: true,
      run: () => attempt(() => api.act(current, 'reset')),
    },
    { label: 'Сбросить всё', icon: 'restart', twice: true, danger: true, run: () => attempt(api.resetAll) },
  ];
});
setUpPanes();
setUpNewPerson();

const refreshChats = calmly(60, quietly(loadChats));
const refreshChat = calmly(20, quietly(loadChat));
const refreshStatus = calmly(40, quietly(loadStatus));
const refreshLive = calmly(120, quietly(loadLive));
const refreshArrivals = calmly(500, quietly(loadArrivals));

api.listen({ onChange, onOpen, onLost: () => setLost(true) });
setInterval(() => document.visibilityState === 'visible' && refreshLive(), LIVE_EVERY_MS);

/** What fails because the process is gone needs no words: the stream notices too, and all is loaded when it is back. */
function quietly(load) {
  return () => load().catch(() => {});
}

async function onOpen() {
  setLost(false);
  await Promise.allSettled([
    loadChats(),
    loadStatus(),
    loadLive(),
    api.charts().then(side.setFlows),
    loadArrivals(),
    api.autopost().then((there) => there && side.showAutopost()),
    api.shop(0).then((there) => there && side.showShop()),
  ]);
  await followStartLink();
}

function onChange(change) {
  if (change.type === 'action') {
    if (change.chat_id === current) showAction();
    return;
  }
  if (change.chat_id < 0) {
    refreshArrivals(); // a post in a channel, where nobody talks
    return;
  }
  if (change.type === 'message' && change.chat_id === current && change.what === 'new') actionUntil = 0;
  if (change.type === 'pending' || change.type === 'bot') refreshStatus();
  if (change.type === 'bot') return;
  if (change.chat_id === undefined || change.chat_id === current) refreshChat();
  if (change.type !== 'answer') refreshChats();
  refreshLive();
  refreshArrivals();
}

const isAdministrator = (member) => ['creator', 'administrator'].includes(member?.status);

/** A link that leads back from another site, as Telegram's own would: `/?start=payload`. */
async function followStartLink() {
  const payload = new URLSearchParams(location.search).get('start');
  if (!payload) return;
  history.replaceState(null, '', '/');
  await say(`/start ${payload}`);
}

async function loadChats() {
  chats = await api.chats();
  if (!chats.some(({ person }) => person.id === current)) {
    const first = chats[0]?.person.id;
    if (first) choose(first);
    return;
  }
  people.show(chats, current);
  await loadChat();
}

async function loadChat() {
  const asked = current;
  const data = await api.chat(asked);
  if (asked !== current || !data.person) return;
  const isNew = data.messages.length === 0;
  const newest = data.messages.at(-1)?.message_id;
  if (newest && document.visibilityState === 'visible') people.markRead(asked, newest);
  chat.show(asked, data);
  byId('wall').classList.toggle('is-empty', isNew);
  showWelcome(isNew);
  composer.show({
    keyboard: data.keyboard,
    isNew,
    isBlocked: data.person.blocked,
    onUnblock: () => attempt(() => api.act(asked, 'unblock')),
  });
  showTyping();
}

async function loadStatus() {
  status = await api.status();
  byId('bot-name').textContent = status.bot.first_name;
  showTyping();
}

async function loadLive() {
  const asked = current;
  const state = await api.live(asked).catch(() => live);
  if (asked !== current) return;
  live = state;
  side.setLive(live);
  showTyping();
}

async function loadArrivals() {
  const asked = current;
  const panels = await api.arrivals(asked);
  if (asked === current) side.setArrivals(panels);
}

function choose(id) {
  current = id;
  live = null;
  actionUntil = 0;
  localStorage.setItem(PERSON_KEY, String(id));
  setView('chat');
  chat.setTyping(false);
  people.show(chats, current);
  attempt(async () => {
    await Promise.all([loadChats(), loadLive(), loadArrivals()]);
    composer.focus();
  });
}

const person = () => chats.find((one) => one.person.id === current)?.person;

function say(text) {
  return attempt(() => api.say(current, text));
}

function sendFiles(files, caption) {
  return attempt(async () => {
    const group = api.albumOf(files);
    for (const [index, file] of files.entries())
      await api.upload(current, file, index === 0 ? caption : '', group);
  });
}

/** The bot agrees, or says why not; then the payment itself arrives as a message. */
function pay(message, bill = message.message_id) {
  return attempt(async () => showAnswer((await api.pay(current, bill)).answer));
}

/** Up to as many Stars as are wanted. */
function topUp(stars) {
  return attempt(async () => {
    const held = chats.find((one) => one.person.id === current)?.purse ?? 0;
    await api.fillPurse(current, Math.max(held, stars));
    await loadChats();
    showAnswer({ text: `В кошельке ${Math.max(held, stars).toLocaleString('ru-RU')} звёзд` });
  });
}

function share(requestId, channelId) {
  return attempt(() => api.share(current, requestId, channelId));
}

function press(message, data) {
  return attempt(async () =>
    showAnswer(
      (await chat.press(message.message_id, data, api.press(current, message.message_id, data))).answer,
    ),
  );
}

async function attempt(deed) {
  try {
    return await deed();
  } catch (error) {
    toast(error instanceof TypeError ? 'Нет связи с процессом' : error.message, 'bad');
    return undefined;
  }
}

function showAction() {
  actionUntil = Date.now() + ACTION_SHOWN_MS;
  showTyping();
  setTimeout(showTyping, ACTION_SHOWN_MS + 50);
}

/** «печатает…» while the bot has not dealt with what it was told, works on a step, or says so itself. */
function showTyping() {
  const waiting = (status.pending[current] ?? 0) > 0;
  const connected = status.connected && !isLost;
  const working = !isLost && (Date.now() < actionUntil || (connected && (waiting || live?.busy === true)));
  byId('app').classList.toggle('offline', !connected);
  const purse = chats.find((one) => one.person.id === current)?.purse;
  const idle = connected
    ? `на связи${purse === undefined ? '' : ` · у вас ${purse.toLocaleString('ru-RU')} звёзд`}`
    : 'не запущен: сообщения подождут';
  byId('bot-status').textContent = working ? (live?.busy ? 'работает…' : 'печатает…') : idle;
  byId('bot-status').classList.toggle('active', working || connected);
  clearTimeout(typingTimer);
  // Most answers come at once: dots that only flash would be noise.
  if (working) typingTimer = setTimeout(() => chat.setTyping(true), TYPING_DELAY_MS);
  else chat.setTyping(false);
}

function showWelcome(isNew) {
  const there = byId('welcome');
  if (!isNew) return there?.remove();
  if (there) return undefined;
  const card = h(
    'div',
    { class: 'welcome', id: 'welcome' },
    h('span', { class: 'avatar bot huge' }, icon('bot')),
    h('h1', {}, status.bot?.first_name ?? 'SEO Master'),
    h(
      'p',
      {},
      'Найдёт, что ищут ваши клиенты, напишет статью, нарисует картинки и опубликует её на вашем сайте.',
    ),
    h(
      'p',
      { class: 'hint' },
      'Это песочница: настоящий бот, а Telegram и сервисы вокруг него — местные копии. Ключи не нужны, деньги не тратятся.',
    ),
  );
  return byId('wall').append(card);
}

function setLost(lost) {
  isLost = lost;
  byId('banner').hidden = !lost;
  document.body.classList.toggle('lost', lost);
  showTyping();
}

function setUpPanes() {
  const app = byId('app');
  const toggle = byId('toggle-side');
  const setSide = (open) => {
    app.classList.toggle('side-closed', !open);
    toggle.setAttribute('aria-expanded', String(open));
    localStorage.setItem(SIDE_KEY, open ? 'open' : 'closed');
  };
  setSide(localStorage.getItem(SIDE_KEY) !== 'closed');
  toggle.addEventListener('click', () => setSide(app.classList.contains('side-closed')));
  byId('show-side').addEventListener('click', () => setView('side'));
  byId('show-chat').addEventListener('click', () => setView('chat'));
}

function setView(view) {
  byId('app').dataset.view = view;
}

function setUpNewPerson() {
  const dialog = byId('person-dialog');
  const form = byId('person-form');
  byId('add-person').addEventListener('click', () => {
    form.reset();
    dialog.showModal();
  });
  byId('person-cancel').addEventListener('click', () => dialog.close());
  form.addEventListener('submit', () =>
    attempt(async () => {
      const { first_name, username } = Object.fromEntries(new FormData(form));
      const added = await api.addPerson({ first_name, ...(username && { username }) });
      chats = await api.chats();
      choose(added.id);
    }),
  );
}
