import { view } from './backdrops.ts';
import { mix } from './palette.ts';
import { props } from './props.ts';
import { circle, fade, line, oval, path, rect } from './shapes.ts';
import { backgroundOf, type Composition, lit, type Stage, standing, threeOf } from './stage.ts';

/** A wall with a window, a floor, and the trade's things in the room. */
export const room: Composition = (stage) => {
  const { width, height, unit, colours, chance } = stage;
  const floor = height * 0.72;
  const windowLeft = chance.fraction() < 0.5;
  const window = {
    w: unit * 46,
    h: unit * 44,
    x: windowLeft ? width * 0.1 : width * 0.9 - unit * 46,
    y: floor - unit * 62,
  };
  const free = windowLeft ? width * 0.72 : width * 0.28;
  const boards = Array.from({ length: 5 }, (_, i) => floor + (height - floor) * ((i + 1) / 6) ** 1.4);

  return [
    backgroundOf(stage, 'url(#sky)'),
    windowFrame(stage, window),
    path(beam(window, floor, height), '#fff8dc', 'opacity=".28"'),
    pictureOnWall(stage, free + (windowLeft ? 1 : -1) * unit * 10, floor - unit * 52),
    rect(0, floor, width, height - floor, 'url(#ground)'),
    ...boards.map((y) =>
      line(`M0 ${y} H${width}`, mix(colours.ground, colours.dark, 0.2), unit * 0.25, 'opacity=".45"'),
    ),
    rect(0, floor - unit * 2, width, unit * 2, mix(colours.haze, '#ffffff', 0.5)),
    oval(
      width * 0.5,
      height * 0.87,
      Math.min(width * 0.4, unit * 62),
      unit * 8,
      mix(colours.second, colours.light, 0.55),
    ),
    oval(
      width * 0.5,
      height * 0.87,
      Math.min(width * 0.34, unit * 54),
      unit * 6,
      mix(colours.second, colours.light, 0.7),
    ),
    ...(stage.place === 'table' ? onTable(stage, windowLeft) : onFloor(stage, windowLeft, floor)),
    lit(stage),
  ].join('');
};

function onFloor(stage: Stage, windowLeft: boolean, floor: number): string[] {
  const { width, height, unit } = stage;
  const [main, side, small] = threeOf(stage);
  const away = windowLeft ? 1 : -1;
  return [
    standing(stage, side, width * (0.5 + away * 0.22), floor + unit * 5, unit * 34),
    standing(stage, props.plant, width * (0.5 + away * 0.43), floor + unit * 8, unit * 30),
    standing(stage, main, width * 0.5 - away * unit * 6, height * 0.88, unit * 50),
    standing(stage, small, width * 0.5 - away * unit * 40, height * 0.93, unit * 20),
  ];
}

/** Small things stand on a table in the foreground, a chair and a plant behind it. */
function onTable(stage: Stage, windowLeft: boolean): string[] {
  const { width, height, unit, colours } = stage;
  const [main, side, small] = threeOf(stage);
  const away = windowLeft ? 1 : -1;
  const top = height * 0.83;
  const half = Math.min(width * 0.46, unit * 78);
  const board = rect(width / 2 - half, top, half * 2, unit * 4.5, colours.wood, unit);
  const under = rect(
    width / 2 - half * 0.94,
    top + unit * 4.5,
    half * 1.88,
    height - top,
    mix(colours.wood, colours.dark, 0.3),
  );
  return [
    standing(stage, props.armchair, width * (0.5 + away * 0.26), height * 0.86, unit * 42),
    standing(stage, props.plant, width * (0.5 + away * 0.43), height * 0.84, unit * 34),
    under,
    board,
    standing(stage, main, width / 2 - away * unit * 8, top + unit * 2, unit * 40),
    standing(stage, side, width / 2 + away * unit * 26, top + unit * 2.5, unit * 27),
    standing(stage, small, width / 2 - away * unit * 40, top + unit * 2.5, unit * 23),
  ];
}

type Box = { x: number; y: number; w: number; h: number };

function windowFrame(stage: Stage, { x, y, w, h }: Box): string {
  const { unit, colours } = stage;
  const frame = mix(colours.light, colours.wood, 0.12);
  const outside = view({ ...stage, width: w, height: h, unit: Math.min(w, h) / 100 }, h * 0.86);
  return [
    rect(x - unit * 2, y - unit * 2, w + unit * 4, h + unit * 4, frame, unit),
    `<svg x="${x}" y="${y}" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">${outside}</svg>`,
    rect(x + w / 2 - unit * 0.7, y, unit * 1.4, h, frame),
    rect(x, y + h * 0.36, w, unit * 1.2, frame),
    rect(
      x - unit * 4,
      y + h + unit * 1.5,
      w + unit * 8,
      unit * 2.4,
      mix(frame, colours.dark, 0.08),
      unit * 0.6,
    ),
    fade(
      path(`M${x} ${y + h} L${x + w * 0.4} ${y} h${w * 0.16} L${x + w * 0.16} ${y + h} z`, '#ffffff'),
      0.16,
    ),
  ].join('');
}

/** Light falls through the window across the wall and onto the floor. */
const beam = ({ x, y, w, h }: Box, floor: number, bottom: number): string =>
  `M${x} ${y + h * 0.1} L${x + w} ${y} L${x + w * 2.1} ${floor} L${x + w * 2.5} ${bottom} H${x + w * 0.9} L${x + w * 0.6} ${floor} z`;

function pictureOnWall({ unit, colours }: Stage, x: number, y: number): string {
  const w = unit * 20;
  const h = unit * 24;
  const left = x - w / 2;
  return [
    rect(left - unit, y - unit, w + unit * 2, h + unit * 2, colours.wood, unit * 0.6),
    rect(left, y, w, h, colours.light),
    circle(left + w * 0.64, y + h * 0.32, w * 0.18, colours.accent),
    path(
      `M${left} ${y + h} V${y + h * 0.7} L${left + w * 0.34} ${y + h * 0.45} L${left + w * 0.6} ${y + h * 0.72} L${left + w * 0.78} ${y + h * 0.58} L${left + w} ${y + h * 0.78} V${y + h} z`,
      colours.second,
    ),
  ].join('');
}
