/** An element with attributes, listeners (`onclick`) and children. Text becomes text nodes: nothing is parsed. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(
    ...children.flat().filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

export const byId = (id) => document.getElementById(id);

const SVG = 'http://www.w3.org/2000/svg';

export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', `#i-${name}`);
  svg.append(use);
  return svg;
}

/** Runs at most once per pause, however often it is asked for. */
export function calmly(pauseMs, run) {
  let timer = 0;
  return () => {
    if (timer) return;
    timer = setTimeout(() => {
      timer = 0;
      run();
    }, pauseMs);
  };
}

export function avatar({ id, first_name }) {
  const initial = Array.from(first_name ?? '?')[0]?.toUpperCase() ?? '?';
  return h('span', { class: `avatar tint-${Math.abs(id) % 7}`, 'aria-hidden': 'true' }, initial);
}
