async function call(path, init) {
  const response = await fetch(`/sandbox/api/${path}`, init);
  const body = await response.json();
  if (!response.ok) throw new Error(body.error ?? `Ошибка ${response.status}`);
  return body;
}

const post = (path, body = {}) =>
  call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

export const status = () => call('status');
export const chats = () => call('chats');
export const chat = (id) => call(`chat/${id}`);
export const live = (id) => call(`live/${id}`);
export const charts = () => call('charts');
export const arrivals = (id) => call(`arrivals/${id}`);
export const say = (id, text) => post(`people/${id}/say`, { text, formatted: true });
export const act = (id, verb, body) => post(`people/${id}/${verb}`, body);
export const addPerson = (person) => post('people', person);
export const resetAll = () => post('people/reset');

/** As long as a press can be answered; after that the button stops turning, as in Telegram. */
const PRESS_WAIT_MS = 15_000;

export const press = (id, message_id, data) =>
  post(`people/${id}/press`, { message_id, data, wait: PRESS_WAIT_MS });

const isPhoto = (file) => /^image\/(png|jpeg|webp)$/.test(file.type);

/** Several at once are an album, as in Telegram's own apps; ten at most, and photos apart from files. */
export const albumOf = (files) =>
  files.length > 1 && files.length <= 10 && files.every((file) => isPhoto(file) === isPhoto(files[0]))
    ? crypto.randomUUID()
    : null;

export function upload(id, file, caption, group) {
  const kind = isPhoto(file) ? 'photo' : 'document';
  const query = new URLSearchParams({
    name: file.name,
    ...(caption && { caption }),
    ...(group && { group }),
  });
  const headers = { 'content-type': file.type || 'application/octet-stream' };
  return call(`people/${id}/${kind}?${query}`, { method: 'POST', headers, body: file });
}

export const pay = (id, bill) => post(`people/${id}/pay`, { bill });
export const fillPurse = (id, stars) => post(`people/${id}/purse`, { stars });
export const share = (id, request_id, chat_id) => post(`people/${id}/share`, { request_id, chat_id });
export const arrivalDeed = (userId, panel) => post(`arrivals/${userId}/${panel}`);
export const sharedChannels = () => call('people/channels');

/** Null: there is no shop in MAX here. */
export const shop = (userId) => call(`shop/chat/${userId}`);
export const shopRules = () => call('shop/rules');
export const shopAct = (userId, verb, body) => post(`shop/${verb}/${userId}`, body);

export async function shopChart() {
  const response = await fetch('/sandbox/api/shop/chart');
  return response.ok ? response.text() : null;
}

/** Null: autoposting is off. */
export const autopost = () => call('autopost');
export const channels = (platform) => call(`autopost/channels/${platform}`);
export const setChannelMood = (id, mood) => post(`autopost/channels/${id}/mood/${mood}`);
export const resumeChannel = (id) => post(`autopost/channels/${id}/resume`);

export async function deliveryChart() {
  const response = await fetch('/sandbox/api/autopost/chart');
  return response.ok ? response.text() : null;
}

/** As any site would hand a post over; what was answered, whatever it is, is shown. */
export async function ingest(secret, body) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  try {
    const response = await fetch('/api/ingest', init);
    return { ok: response.ok, body: await response.json() };
  } catch {
    return { ok: false, body: null };
  }
}

export const fileUrl = (fileId) => `/sandbox/api/people/any/file/${fileId}`;

export async function chartSvg(flow) {
  const response = await fetch(`/sandbox/api/charts/${encodeURIComponent(flow)}`);
  return response.ok ? response.text() : null;
}

/** Tells of every change; reconnects by itself, also when the process was away for long. */
export function listen({ onChange, onOpen, onLost }) {
  const source = new EventSource('/sandbox/events');
  source.onopen = onOpen;
  source.onmessage = (event) => onChange(JSON.parse(event.data));
  source.onerror = () => {
    onLost();
    // The browser retries a broken stream, but gives up for good on a refused one.
    if (source.readyState === EventSource.CLOSED)
      setTimeout(() => listen({ onChange, onOpen, onLost }), 1000);
  };
}
