import type { Chance } from '../chance.ts';
import type { Backdrop, Place } from './casts.ts';
import { mix, type Palette } from './palette.ts';
import type { Prop } from './props.ts';
import { oval, placed, rect } from './shapes.ts';

/** Where a picture is composed: its size, its colours and its actors. `unit` is a hundredth of the shorter side. */
export type Stage = {
  width: number;
  height: number;
  unit: number;
  colours: Palette;
  cast: readonly Prop[];
  backdrop: Backdrop;
  place: Place;
  chance: Chance;
};

export type Composition = (stage: Stage) => string;

/** Gradients that every composition shares. */
export function paints({ colours: { sky, haze, ground, light, dark } }: Stage): string {
  const vertical = (id: string, top: string, bottom: string) =>
    `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>`;
  const radial = (id: string, colour: string, opacity: number) =>
    `<radialGradient id="${id}"><stop offset="0" stop-color="${colour}" stop-opacity="${opacity}"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`;
  return `<defs>${[
    vertical('sky', sky, haze),
    vertical('ground', mix(ground, light, 0.15), mix(ground, dark, 0.14)),
    radial('glow', '#fffbe8', 0.75),
    radial('shadow', mix(dark, ground, 0.25), 0.45),
    radial('dusk', dark, 0.22),
  ].join('')}</defs>`;
}

/** A thing on the ground, with the soft shadow that keeps it from floating. */
export const standing = (stage: Stage, prop: Prop, x: number, y: number, size: number): string =>
  oval(x + size * 0.05, y, size * 0.52, size * 0.075, 'url(#shadow)') +
  placed(prop(stage.colours), x, y, size);

/** Light from the upper left, a little darkness in the corners: flat shapes gain depth by it. */
export const lit = ({ width, height, unit }: Stage): string =>
  oval(width * 0.28, height * 0.18, unit * 75, unit * 60, 'url(#glow)') +
  `<g opacity=".55">${oval(width, height, unit * 60, unit * 50, 'url(#dusk)')}${oval(0, height, unit * 50, unit * 40, 'url(#dusk)')}</g>`;

export const backgroundOf = ({ width, height }: Stage, fill: string): string =>
  rect(0, 0, width, height, fill);

/** Who stands in front, and the two beside. */
type Three = [Stage['cast'][number], Stage['cast'][number], Stage['cast'][number]];
export const threeOf = ({ cast }: Stage): Three => [cast[0]!, cast[1]!, cast[2]!];
