import { h, icon } from './dom.js';

const MIN_SCALE = 0.05;
const MAX_SCALE = 3;
const COMFORTABLE = 0.95;
/** From this size on, the whole chart is better than a part of it. */
const READABLE = 0.8;
const MARGIN = 20;

// In a shadow tree: the chart brings its own styles, which must not reach the page, nor ours the chart.
const STYLE = `
  :host { position: absolute; inset: 0; overflow: hidden; cursor: grab; touch-action: none; }
  :host(.dragging) { cursor: grabbing; }
  svg { position: absolute; left: 0; top: 0; transform-origin: 0 0; overflow: visible; max-width: none; }
  svg.gliding { transition: transform .45s cubic-bezier(.2, .8, .2, 1); }
  .missing { margin: 24px; color: var(--muted); }
  .paper { fill: none !important; }
  .live > :is(rect, polygon, ellipse, path, circle):not(.inner) {
    fill: var(--accent) !important; stroke: var(--accent-strong) !important; stroke-width: 2.5px !important;
    filter: drop-shadow(0 0 10px color-mix(in srgb, var(--accent) 65%, transparent));
  }
  .live :is(text, tspan) { fill: #fff !important; }
  .live line { stroke: rgb(255 255 255 / 55%) !important; }
  .live.working > :is(rect, polygon, ellipse, path, circle) { animation: pulse 1.2s ease-in-out infinite alternate; }
  .leaving path { stroke: var(--accent) !important; stroke-width: 1.8px !important; }
  .leaving polygon { fill: var(--accent) !important; }
  @keyframes pulse { to { fill-opacity: .55; } }
  @media (prefers-reduced-motion: reduce) { svg.gliding { transition: none; } .live.working * { animation: none !important; } }
`;

/** A chart one can move and zoom; it keeps the live state in view until the person takes over. */
export function createChartView() {
  const host = h('div', {
    class: 'chart-canvas',
    tabindex: '0',
    role: 'group',
    'aria-label': 'Схема диалога: стрелки двигают, плюс и минус меняют масштаб',
  });
  const shadow = host.attachShadow({ mode: 'open' });
  const style = h('style');
  style.textContent = STYLE;
  const follow = tool('target', 'Следить за текущим шагом', () => setFollowing(true));
  const tools = h(
    'div',
    { class: 'chart-tools' },
    tool('plus', 'Крупнее', () => zoom(1.3)),
    tool('minus', 'Мельче', () => zoom(1 / 1.3)),
    tool('fit', 'Вся схема', () => takeOver(showWhole)),
    follow,
  );
  const element = h('div', { class: 'chart-frame' }, host, tools);
  let svg = null;
  let size = { width: 1, height: 1 };
  let place = { x: 0, y: 0, scale: 1 };
  let following = true;
  let live = null;

  listenToPointer();
  host.addEventListener('keydown', onKey);
  new ResizeObserver(() => svg && (following ? reveal(false) : undefined)).observe(host);
  return { element, setChart, setLive };

  function setChart(markup) {
    svg = markup ? parseSvg(markup) : null;
    const missing = h('p', { class: 'missing' }, 'Схема этого диалога ещё не нарисована.');
    shadow.replaceChildren(style, svg ?? missing);
    if (!svg) return;
    const box = svg.viewBox.baseVal;
    size = {
      width: box?.width || Number.parseFloat(svg.getAttribute('width')) || 800,
      height: box?.height || Number.parseFloat(svg.getAttribute('height')) || 600,
    };
    svg.setAttribute('width', size.width);
    svg.setAttribute('height', size.height);
    live = null;
    setFollowing(true, false);
  }

  function setLive(state, busy) {
    if (!svg) return;
    const before = live;
    live = state;
    for (const node of svg.querySelectorAll('.live')) node.classList.remove('live', 'current', 'working');
    for (const edge of svg.querySelectorAll('.edge')) {
      edge.classList.toggle('leaving', live !== null && edge.dataset.source === live);
    }
    const node = liveNode();
    node?.classList.add('live', 'current');
    node?.classList.toggle('working', busy);
    if (following && before !== live) reveal(before !== null);
  }

  function liveNode() {
    return live === null ? null : svg.querySelector(`[id="${CSS.escape(`state-${live}`)}"]`);
  }

  function setFollowing(on, smooth = true) {
    following = on;
    follow.setAttribute('aria-pressed', String(on));
    if (on) reveal(smooth);
  }

  function takeOver(move) {
    setFollowing(false);
    move();
  }

  function reveal(smooth) {
    const node = liveNode();
    const { width, height } = host.getBoundingClientRect();
    if (!width) return;
    const whole = Math.min(width / size.width, height / size.height);
    if (!node || whole > READABLE) {
      showWhole();
      return;
    }
    const box = inChart(node.getBoundingClientRect());
    const x = within(width / 2 - (box.x + box.width / 2) * COMFORTABLE, width, size.width * COMFORTABLE);
    const y = within(height / 2 - (box.y + box.height / 2) * COMFORTABLE, height, size.height * COMFORTABLE);
    put(x, y, COMFORTABLE, smooth);
  }

  /** Keeps a long side from leaving empty space at an edge, and a short one in the middle. */
  function within(offset, room, length) {
    if (length + 2 * MARGIN <= room) return (room - length) / 2;
    return Math.min(MARGIN, Math.max(room - length - MARGIN, offset));
  }

  function inChart(rect) {
    const frame = svg.getBoundingClientRect();
    const scale = frame.width / size.width || 1;
    return {
      x: (rect.x - frame.x) / scale,
      y: (rect.y - frame.y) / scale,
      width: rect.width / scale,
      height: rect.height / scale,
    };
  }

  function showWhole() {
    const { width, height } = host.getBoundingClientRect();
    if (!width) return;
    const scale = Math.min(1, (width - 24) / size.width, (height - 24) / size.height);
    put((width - size.width * scale) / 2, (height - size.height * scale) / 2, scale, true);
  }

  function zoom(factor, at) {
    setFollowing(false);
    const { width, height } = host.getBoundingClientRect();
    const { x, y } = at ?? { x: width / 2, y: height / 2 };
    const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, place.scale * factor));
    const ratio = scale / place.scale;
    put(x - (x - place.x) * ratio, y - (y - place.y) * ratio, scale, !at);
  }

  function put(x, y, scale, smooth) {
    place = { x, y, scale };
    if (!svg) return;
    svg.classList.toggle('gliding', smooth);
    svg.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  }

  function listenToPointer() {
    const pointers = new Map();
    host.addEventListener('pointerdown', (event) => {
      host.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, event);
      host.classList.add('dragging');
    });
    host.addEventListener('pointermove', (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      if (pointers.size === 1)
        takeOver(() =>
          put(
            place.x + event.clientX - before.clientX,
            place.y + event.clientY - before.clientY,
            place.scale,
            false,
          ),
        );
      else
        pinch(
          before,
          event,
          [...pointers.values()].find(({ pointerId }) => pointerId !== event.pointerId),
        );
      pointers.set(event.pointerId, event);
    });
    for (const end of ['pointerup', 'pointercancel']) {
      host.addEventListener(end, (event) => {
        pointers.delete(event.pointerId);
        if (pointers.size === 0) host.classList.remove('dragging');
      });
    }
    host.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), pointIn(event));
      },
      { passive: false },
    );
  }

  function pinch(before, now, other) {
    const distance = (a) => Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY) || 1;
    zoom(distance(now) / distance(before), pointIn(other));
  }

  function pointIn(event) {
    const { x, y } = host.getBoundingClientRect();
    return { x: event.clientX - x, y: event.clientY - y };
  }

  function onKey(event) {
    const step = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[
      event.key
    ];
    if (step) takeOver(() => put(place.x + step[0], place.y + step[1], place.scale, true));
    else if (event.key === '+' || event.key === '=') zoom(1.3);
    else if (event.key === '-') zoom(1 / 1.3);
    else if (event.key === '0') takeOver(showWhole);
    else return;
    event.preventDefault();
  }
}

function parseSvg(markup) {
  const root = new DOMParser().parseFromString(markup, 'image/svg+xml').documentElement;
  if (root.localName !== 'svg') return null;
  for (const node of root.querySelectorAll('script, foreignObject')) node.remove();
  return document.importNode(root, true);
}

function tool(name, label, onclick) {
  return h(
    'button',
    { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick },
    icon(name),
  );
}
