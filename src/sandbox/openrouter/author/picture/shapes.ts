/** SVG in the fewest words. Numbers are rounded: the drawing does not gain from more. */

const n = (value: number): string => String(Math.round(value * 10) / 10);

export const rect = (x: number, y: number, w: number, h: number, fill: string, r = 0, rest = ''): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" rx="${n(r)}" fill="${fill}" ${rest}/>`;

export const circle = (x: number, y: number, r: number, fill: string, rest = ''): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}" ${rest}/>`;

export const oval = (x: number, y: number, rx: number, ry: number, fill: string, rest = ''): string =>
  `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx)}" ry="${n(ry)}" fill="${fill}" ${rest}/>`;

export const path = (d: string, fill: string, rest = ''): string => `<path d="${d}" fill="${fill}" ${rest}/>`;

export const line = (d: string, colour: string, width: number, rest = ''): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${n(width)}" stroke-linecap="round" stroke-linejoin="round" ${rest}/>`;

/** Puts a drawing made in a box of 100 by 100, standing on y = 100, so that its foot is at (x, y). */
export const placed = (drawing: string, x: number, y: number, size: number): string =>
  `<g transform="translate(${n(x)} ${n(y)}) scale(${size / 100}) translate(-50 -100)">${drawing}</g>`;

export const fade = (drawing: string, opacity: number): string => `<g opacity="${opacity}">${drawing}</g>`;
