import { view } from './backdrops.ts';
import { mix } from './palette.ts';
import { circle, fade, line, oval, path, rect } from './shapes.ts';
import { backgroundOf, type Composition, lit, type Stage, standing, threeOf } from './stage.ts';

/** One thing large before a disc of light, two small ones beside it. */
export const closeUp: Composition = (stage) => {
  const { width, height, unit, colours, chance } = stage;
  const table = height * 0.8;
  const off = (chance.fraction() < 0.5 ? -1 : 1) * unit * 7;
  const [main, left, right] = threeOf(stage);
  return [
    backgroundOf(stage, 'url(#sky)'),
    circle(width / 2 + off, height * 0.47, unit * 39, mix(colours.accent, colours.light, 0.62)),
    circle(width / 2 + off, height * 0.47, unit * 30, mix(colours.accent, colours.light, 0.74)),
    leaves(stage, width * 0.5 + off - unit * 34, table, -1),
    leaves(stage, width * 0.5 + off + unit * 34, table, 1),
    rect(0, table, width, height - table, 'url(#ground)'),
    rect(0, table, width, unit * 1.2, mix(colours.ground, colours.light, 0.45)),
    standing(stage, left, width / 2 + off - unit * 40, table + unit * 6, unit * 27),
    standing(stage, right, width / 2 + off + unit * 40, table + unit * 7, unit * 25),
    standing(stage, main, width / 2 + off, table + unit * 9, unit * 60),
    lit(stage),
  ].join('');
};

/** Panels of colour with one thing in each: variants side by side. */
export const panels: Composition = (stage) => {
  const { width, height, unit, colours, cast } = stage;
  const wide = width >= height;
  const gap = unit * 3;
  const count = 3;
  const tones = [
    mix(colours.accent, colours.light, 0.6),
    mix(colours.second, colours.light, 0.62),
    mix(colours.wood, colours.light, 0.6),
  ];
  const w = wide ? (width - gap * (count + 1)) / count : width - gap * 2;
  const h = wide ? height - gap * 2 : (height - gap * (count + 1)) / count;
  const size = Math.min(w * 0.84, h * 0.7);
  const drawn = Array.from({ length: count }, (_, i) => {
    const x = wide ? gap + i * (w + gap) : gap;
    const y = wide ? gap : gap + i * (h + gap);
    const foot = y + h / 2 + size * 0.52;
    const id = `panel${i}`;
    return [
      `<clipPath id="${id}">${rect(x, y, w, h, '#000', unit * 4)}</clipPath><g clip-path="url(#${id})">`,
      rect(x, y, w, h, tones[i]!),
      circle(x + w * (0.3 + i * 0.2), y + h * 0.3, Math.min(w, h) * 0.34, '#ffffff', 'opacity=".28"'),
      rect(x, foot - size * 0.08, w, h, mix(tones[i]!, colours.dark, 0.14)),
      standing(stage, cast[i]!, x + w / 2, foot, size),
      '</g>',
    ].join('');
  });
  return [backgroundOf(stage, mix(colours.sky, '#ffffff', 0.35)), ...drawn, lit(stage)].join('');
};

/** A view with its layers, and the trade's things before it: on the ground, or on a sill when they are small. */
export const openAir: Composition = (stage) => {
  const { width, height, unit, chance } = stage;
  const horizon = height * 0.66;
  const [main, side, small] = threeOf(stage);
  const direction = chance.fraction() < 0.5 ? -1 : 1;
  const far = (share: number, most: number) => width * 0.5 - direction * Math.min(width * share, unit * most);
  const nearEdge = [
    tree(stage, far(0.42, 70), horizon + unit * 8, unit * 34),
    tree(stage, far(0.36, 54), horizon + unit * 11, unit * 24),
  ];
  const before =
    stage.place === 'outdoors'
      ? [standing(stage, side, far(-0.32, 46), horizon + unit * 12, unit * 26)]
      : [
          sill(stage),
          standing(stage, side, far(-0.3, 44), height * 0.87, unit * 32),
          standing(stage, small, far(0.3, 42), height * 0.88, unit * 26),
        ];
  return [
    view(stage, horizon),
    rect(0, horizon, width, height - horizon, 'url(#ground)'),
    ...nearEdge,
    ...before,
    standing(stage, main, width * 0.5 - direction * unit * 4, height * 0.9, unit * 52),
    lit(stage),
  ].join('');
};

function sill({ width, height, unit, colours }: Stage): string {
  const top = height * 0.82;
  return [
    rect(0, top, width, height - top, mix(colours.wood, colours.light, 0.25)),
    rect(0, top, width, unit * 1.4, mix(colours.wood, colours.light, 0.55)),
    rect(0, height - unit * 5, width, unit * 5, mix(colours.wood, colours.dark, 0.2)),
  ].join('');
}

function leaves({ unit, colours }: Stage, x: number, y: number, side: number): string {
  const stem = unit * 44;
  const leafAt = (share: number, reach: number) => {
    const top = y - stem * share;
    return path(
      `M${x} ${top} q${side * reach} ${-reach * 0.9} ${side * reach * 1.5} ${-reach * 0.2} q${-side * reach * 0.5} ${reach * 0.8} ${-side * reach * 1.5} ${reach * 0.2} z`,
      colours.leaf,
    );
  };
  return fade(
    [
      line(
        `M${x} ${y} q${side * unit * 2} ${-stem * 0.5} 0 ${-stem}`,
        mix(colours.leaf, colours.dark, 0.2),
        unit * 0.7,
      ),
      leafAt(0.4, unit * 9),
      leafAt(0.65, unit * 11),
      leafAt(0.9, unit * 9),
    ].join(''),
    0.8,
  );
}

function tree({ colours }: Stage, x: number, y: number, size: number): string {
  const dark = mix(colours.leaf, colours.dark, 0.25);
  return [
    oval(x, y, size * 0.3, size * 0.05, 'url(#shadow)'),
    rect(x - size * 0.035, y - size * 0.4, size * 0.07, size * 0.4, colours.wood),
    oval(x, y - size * 0.62, size * 0.24, size * 0.36, colours.leaf),
    path(
      `M${x} ${y - size * 0.98} q${size * 0.34} ${size * 0.1} ${size * 0.23} ${size * 0.5} q${-size * 0.06} ${size * 0.24} ${-size * 0.23} ${size * 0.22} z`,
      dark,
      'opacity=".45"',
    ),
  ].join('');
}
