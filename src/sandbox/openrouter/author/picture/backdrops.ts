import { mix } from './palette.ts';
import { circle, oval, path, rect } from './shapes.ts';
import type { Stage } from './stage.ts';

/** The sky with what stands on the horizon, farther layers paler. */
export function view(stage: Stage, horizon: number): string {
  const { width, height, unit, colours, chance, backdrop } = stage;
  const sunX = width * (0.2 + chance.fraction() * 0.6);
  return [
    rect(0, 0, width, height, 'url(#sky)'),
    circle(sunX, horizon * 0.42, unit * 11, mix(colours.accent, '#ffe3a8', 0.82)),
    circle(sunX, horizon * 0.42, unit * 17, '#fff3d0', 'opacity=".3"'),
    cloud(stage, width * 0.2, horizon * 0.24),
    cloud(stage, width * 0.74, horizon * 0.34),
    layers[backdrop](stage, horizon),
    rect(0, horizon, width, height - horizon, mix(colours.ground, colours.leaf, 0.25)),
  ].join('');
}

type Layer = (stage: Stage, horizon: number) => string;

const layers: Readonly<Record<Stage['backdrop'], Layer>> = {
  hills: (stage, horizon) =>
    [0.34, 0.22, 0.12]
      .map((rise, i) =>
        wave(stage, horizon, rise, mix(stage.colours.leaf, stage.colours.haze, 0.6 - i * 0.22)),
      )
      .join(''),
  mountains: (stage, horizon) =>
    [0.62, 0.4]
      .map((rise, i) =>
        ridge(stage, horizon, rise, mix(stage.colours.second, stage.colours.haze, 0.6 - i * 0.3)),
      )
      .join('') + wave(stage, horizon, 0.14, mix(stage.colours.leaf, stage.colours.haze, 0.2)),
  city: (stage, horizon) =>
    [0.55, 0.36]
      .map((rise, i) =>
        skyline(
          stage,
          horizon,
          rise,
          mix(stage.colours.second, stage.colours.haze, 0.74 - i * 0.24),
          i === 1,
        ),
      )
      .join(''),
};

function wave({ width, chance }: Stage, horizon: number, rise: number, fill: string): string {
  const top = horizon * (1 - rise);
  const crest = width * (0.2 + chance.fraction() * 0.6);
  return path(
    `M0 ${horizon + 2} V${top + horizon * rise * 0.4} Q${crest * 0.5} ${top - horizon * rise * 0.4} ${crest} ${top + horizon * rise * 0.3} T${width} ${top + horizon * rise * 0.2} V${horizon + 2} z`,
    fill,
  );
}

function ridge({ width, colours, chance }: Stage, horizon: number, rise: number, fill: string): string {
  const peaks = 4;
  const step = width / (peaks - 1);
  const summits = Array.from({ length: peaks }, (_, i) => ({
    x: i * step + (chance.fraction() - 0.5) * step * 0.5,
    y: horizon * (1 - rise * (0.6 + chance.fraction() * 0.4)),
  }));
  const mountains = summits.map(({ x, y }) =>
    path(`M${x - step * 0.8} ${horizon + 2} L${x} ${y} L${x + step * 0.8} ${horizon + 2} z`, fill),
  );
  const snow = summits.map(({ x, y }) => {
    const cap = (horizon - y) * 0.24;
    const half = (step * 0.8 * cap) / (horizon - y);
    return path(
      `M${x} ${y} L${x + half} ${y + cap} L${x + half * 0.4} ${y + cap * 0.75} L${x} ${y + cap * 1.1} L${x - half * 0.45} ${y + cap * 0.7} L${x - half} ${y + cap} z`,
      mix(colours.light, fill, 0.12),
    );
  });
  return mountains.map((mountain, i) => mountain + snow[i]!).join('');
}

function skyline(
  { width, unit, colours, chance }: Stage,
  horizon: number,
  rise: number,
  fill: string,
  windows: boolean,
): string {
  const houses: string[] = [];
  for (let x = -unit * 2; x < width; ) {
    const w = unit * chance.between(9, 17);
    const h = horizon * rise * (0.45 + chance.fraction() * 0.55);
    houses.push(rect(x, horizon - h, w, h + 2, fill, unit * 0.6));
    if (windows) houses.push(lightsIn({ x, y: horizon - h, w, h }, unit, mix(fill, colours.light, 0.5)));
    x += w + unit * chance.between(0, 3);
  }
  return houses.join('');
}

function lightsIn(
  { x, y, w, h }: { x: number; y: number; w: number; h: number },
  unit: number,
  fill: string,
): string {
  const columns = Math.max(1, Math.floor(w / (unit * 4.4)));
  const rows = Math.max(0, Math.floor((h - unit * 3) / (unit * 6)));
  return Array.from({ length: rows * columns }, (_, i) => {
    const column = i % columns;
    const row = Math.floor(i / columns);
    return rect(
      x + (w / columns) * (column + 0.5) - unit,
      y + unit * 3 + row * unit * 6,
      unit * 2,
      unit * 3,
      fill,
      unit * 0.3,
    );
  }).join('');
}

const cloud = ({ unit }: Stage, x: number, y: number): string =>
  `<g opacity=".55">${oval(x, y, unit * 12, unit * 3, '#ffffff')}${oval(x - unit * 3, y - unit * 2.4, unit * 6, unit * 3.2, '#ffffff')}${oval(x + unit * 4, y - unit * 1.6, unit * 5, unit * 2.6, '#ffffff')}</g>`;
