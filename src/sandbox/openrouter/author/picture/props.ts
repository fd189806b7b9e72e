import { mix, type Palette } from './palette.ts';
import { circle, line, oval, path, rect } from './shapes.ts';

/** Things, each drawn in a box of 100 by 100 and standing on its lower edge. */
export type Prop = (colours: Palette) => string;

const shade = (colour: string): string => mix(colour, '#1e1a24', 0.18);
const tint = (colour: string): string => mix(colour, '#ffffff', 0.35);

export const props = {
  cup: ({ accent, light }) =>
    line('M72 62 q20 -2 16 14 q-4 12 -20 10', shade(accent), 6) +
    path('M22 52 h54 l-6 42 q-1 5 -6 5 h-30 q-5 0 -6 -5 z', accent) +
    path('M56 52 h20 l-6 42 q-1 5 -6 5 h-14 z', shade(accent), 'opacity=".5"') +
    oval(49, 52, 27, 6, light) +
    oval(49, 53, 22, 4, '#6b4632') +
    line('M42 40 q-6 -8 0 -14 q6 -7 0 -14 M56 40 q-6 -8 0 -14 q6 -7 0 -14', light, 3, 'opacity=".7"'),
  croissant: ({ wood }) =>
    oval(50, 95, 46, 5, mix(wood, '#ffffff', 0.7)) +
    path(
      'M10 88 q4 -38 40 -40 q36 2 40 40 q-10 6 -18 -4 q-6 -14 -22 -14 q-16 0 -22 14 q-8 10 -18 4 z',
      mix(wood, '#e39a45', 0.6),
    ) +
    line('M30 60 q4 8 2 16 M50 49 v20 M70 60 q-4 8 -2 16', shade(mix(wood, '#e39a45', 0.6)), 3),
  cake: ({ accent, light, wood }) =>
    rect(46, 84, 8, 12, shade(wood)) +
    oval(50, 97, 24, 4, shade(wood)) +
    oval(50, 84, 44, 6, wood) +
    path('M16 52 h68 v28 q-34 8 -68 0 z', light) +
    path('M16 52 q34 12 68 0 v10 q-8 10 -14 0 q-8 12 -16 0 q-8 12 -16 0 q-8 10 -22 0 z', accent) +
    oval(50, 52, 34, 8, tint(accent)) +
    circle(50, 42, 7, shade(accent)) +
    line('M50 36 q2 -8 8 -10', '#5b7a52', 2.5),
  bowl: ({ second, light, leaf, accent }) =>
    path('M8 60 h84 q-2 32 -30 38 h-24 q-28 -6 -30 -38 z', second) +
    oval(50, 60, 42, 9, light) +
    oval(50, 61, 36, 6.5, mix(accent, '#f2b36a', 0.5)) +
    oval(38, 60, 6, 2.5, leaf) +
    oval(60, 62, 7, 2.5, leaf) +
    oval(50, 58, 4, 2, light),
  plant: ({ leaf, accent }) =>
    line('M50 66 V30 M50 60 q-16 -6 -20 -24 M50 56 q16 -6 22 -26', shade(leaf), 3) +
    path('M50 40 q-16 -16 0 -36 q16 20 0 36 z', leaf) +
    path('M34 46 q-24 0 -28 -24 q24 0 28 24 z', shade(leaf)) +
    path('M66 44 q22 -2 26 -26 q-24 2 -26 26 z', tint(leaf)) +
    path('M38 62 q-18 6 -28 -8 q16 -8 28 8 z', leaf) +
    path('M62 62 q18 6 28 -8 q-16 -8 -28 8 z', shade(leaf)) +
    path('M30 66 h40 l-5 30 q-1 4 -5 4 h-20 q-4 0 -5 -4 z', accent) +
    rect(27, 63, 46, 8, shade(accent), 2),
  lamp: ({ accent, dark }) =>
    path('M28 36 L40 6 h20 L72 36 z', accent) +
    path('M52 6 h8 L72 36 h-14 z', shade(accent), 'opacity=".5"') +
    rect(48, 36, 4, 58, dark) +
    oval(50, 96, 20, 4, dark) +
    path('M28 36 h44 l14 40 h-72 z', '#fff3c9', 'opacity=".35"'),
  books: ({ accent, second, wood, light }) =>
    rect(8, 84, 84, 16, second, 2) +
    rect(14, 70, 74, 14, accent, 2) +
    rect(10, 57, 70, 13, wood, 2) +
    rect(74, 87, 14, 10, light, 1) +
    rect(70, 72.5, 14, 9, light, 1) +
    rect(62, 59, 14, 9, light, 1) +
    path('M30 57 L44 22 l14 5 L46 57 z', shade(second)) +
    path('M47 28 l8 3 -2 5 -8 -3 z', light),
  vase: ({ second, leaf, accent }) =>
    line('M50 60 q-4 -24 -16 -40 M50 60 V14 M50 60 q4 -22 18 -34', shade(leaf), 2.5) +
    circle(32, 18, 9, accent) +
    circle(50, 11, 10, tint(accent)) +
    circle(70, 24, 8, accent) +
    circle(32, 18, 3, '#fff1d0') +
    circle(50, 11, 3.5, '#fff1d0') +
    circle(70, 24, 3, '#fff1d0') +
    path('M42 56 h16 q-2 10 6 18 q8 14 -4 26 h-20 q-12 -12 -4 -26 q8 -8 6 -18 z', second) +
    path('M54 56 h4 q-2 10 6 18 q8 14 -4 26 h-8 q10 -16 2 -44 z', shade(second), 'opacity=".5"'),
  laptop: ({ dark, accent, second, light }) =>
    rect(14, 36, 72, 52, dark, 4) +
    rect(18, 40, 64, 44, light, 2) +
    rect(22, 44, 26, 16, accent, 2) +
    rect(52, 44, 26, 4, mix(dark, '#ffffff', 0.6), 2) +
    rect(52, 51, 20, 4, mix(dark, '#ffffff', 0.75), 2) +
    rect(22, 64, 16, 16, second, 2) +
    rect(42, 64, 16, 16, tint(accent), 2) +
    rect(62, 64, 16, 16, tint(second), 2) +
    path('M4 92 h92 l-4 6 q-1 2 -4 2 h-76 q-3 0 -4 -2 z', mix(dark, '#ffffff', 0.35)) +
    rect(10, 88, 80, 4, mix(dark, '#ffffff', 0.5), 1),
  phone: ({ dark, light, accent, second }) =>
    rect(30, 18, 40, 82, dark, 7) +
    rect(33.5, 24, 33, 68, light, 3) +
    rect(37, 29, 26, 20, accent, 3) +
    rect(37, 54, 26, 4, mix(dark, '#ffffff', 0.7), 2) +
    rect(37, 62, 18, 4, mix(dark, '#ffffff', 0.7), 2) +
    rect(37, 74, 26, 10, second, 5),
  sofa: ({ accent, dark, light }) =>
    rect(14, 50, 72, 34, accent, 8) +
    rect(4, 60, 18, 32, shade(accent), 7) +
    rect(78, 60, 18, 32, shade(accent), 7) +
    rect(18, 70, 32, 18, tint(accent), 5) +
    rect(51, 70, 31, 18, tint(accent), 5) +
    rect(12, 92, 4, 8, dark) +
    rect(84, 92, 4, 8, dark) +
    rect(26, 54, 18, 18, light, 4, 'transform="rotate(-10 35 63)"'),
  armchair: ({ second, dark }) =>
    rect(26, 30, 48, 46, second, 12) +
    rect(16, 56, 14, 32, shade(second), 6) +
    rect(70, 56, 14, 32, shade(second), 6) +
    rect(28, 66, 44, 18, tint(second), 6) +
    line('M26 88 l-4 12 M74 88 l4 12', dark, 4),
  table: ({ wood }) =>
    rect(4, 54, 92, 7, wood, 3) +
    line('M14 61 L8 99 M86 61 L92 99', shade(wood), 5) +
    rect(10, 61, 80, 3, shade(wood)),
  cabinet: ({ wood, light, dark, second }) =>
    rect(6, 30, 88, 64, wood, 3) +
    rect(10, 34, 39, 26, light, 2) +
    rect(51, 34, 39, 26, light, 2) +
    rect(10, 63, 39, 27, second, 2) +
    rect(51, 63, 39, 27, second, 2) +
    rect(26, 45, 8, 3, dark, 1.5) +
    rect(67, 45, 8, 3, dark, 1.5) +
    rect(26, 75, 8, 3, dark, 1.5) +
    rect(67, 75, 8, 3, dark, 1.5) +
    rect(12, 94, 5, 6, dark) +
    rect(83, 94, 5, 6, dark) +
    rect(2, 26, 96, 6, shade(wood), 2),
  car: ({ accent, dark, light }) =>
    path(
      'M4 82 q-2 -18 14 -22 l10 -2 q12 -18 30 -18 q18 0 26 17 q12 3 13 14 v11 q0 3 -4 3 h-84 q-5 0 -5 -3 z',
      accent,
    ) +
    path('M32 58 q9 -12 20 -12 v12 z M56 46 q12 0 18 12 h-18 z', mix(light, '#9cc4d8', 0.5)) +
    path('M4 76 h94 v6 q0 3 -4 3 h-84 q-5 0 -5 -3 z', shade(accent)) +
    circle(26, 86, 13, dark) +
    circle(26, 86, 6, mix(light, dark, 0.25)) +
    circle(76, 86, 13, dark) +
    circle(76, 86, 6, mix(light, dark, 0.25)) +
    oval(94, 70, 3, 4, '#fff0b8') +
    rect(58, 64, 8, 2.5, light, 1),
  tyres: ({ dark, light, accent }) =>
    [84, 62, 40]
      .map(
        (y) =>
          rect(12, y - 6, 76, 20, dark, 9) +
          line(`M20 ${y + 1} h60 M20 ${y + 7} h60`, mix(dark, light, 0.25), 1.6, 'stroke-dasharray="5 4"'),
      )
      .join('') +
    oval(50, 34, 38, 8, mix(dark, light, 0.15)) +
    oval(50, 34, 22, 4.6, light) +
    oval(50, 34, 8, 1.8, accent),
  toolboard: ({ dark, accent, wood, second }) =>
    line('M20 80 L12 99 M80 80 L88 99', dark, 4) +
    rect(4, 22, 92, 60, wood, 4) +
    line('M22 34 v28', dark, 5) +
    path('M14 34 h16 v-6 h-16 z', accent) +
    line('M44 34 v30', second, 5) +
    circle(44, 32, 7, 'none', `stroke="${dark}" stroke-width="4"`) +
    line('M64 30 v20', accent, 6) +
    line('M64 50 v18', dark, 3) +
    line('M82 30 q8 10 0 20 q-8 10 0 20', dark, 3.5),
  crane: ({ accent, dark, second }) =>
    line(
      'M40 100 V10 M52 100 V10 M40 94 l12 -12 l-12 -12 l12 -12 l-12 -12 l12 -12 l-12 -12 l12 -12',
      accent,
      2.4,
    ) +
    line('M8 16 H96 M46 2 L96 16 M46 2 L10 16 M46 2 v8', accent, 2.4) +
    rect(6, 16, 12, 10, dark, 1) +
    line('M82 16 v34', dark, 1.4) +
    rect(74, 50, 16, 10, second, 1) +
    rect(36, 20, 12, 11, second, 2),
  bricks: ({ accent, light }) =>
    Array.from({ length: 4 }, (_, row) =>
      Array.from({ length: 4 }, (_, i) =>
        rect(
          8 + i * 22 - (row % 2 ? 6 : 0),
          76 - row * 13,
          20,
          11,
          (i + row) % 3 ? accent : shade(accent),
          1.5,
        ),
      ).join(''),
    ).join('') +
    rect(2, 89, 96, 4, light) +
    rect(6, 93, 12, 7, shade(light)) +
    rect(44, 93, 12, 7, shade(light)) +
    rect(82, 93, 12, 7, shade(light)),
  mixer: ({ accent, dark, light, second }) =>
    rect(4, 76, 90, 8, dark, 2) +
    path('M70 48 h16 q8 4 9 16 v14 h-25 z', second) +
    path('M76 52 h9 q5 3 6 10 h-15 z', mix(light, '#9cc4d8', 0.5)) +
    path('M10 52 L46 36 q14 0 18 14 q2 18 -14 24 L16 70 q-10 -8 -6 -18 z', light) +
    path('M24 46 l12 -5.5 l8 34 l-14 -2 z', accent) +
    [18, 38, 82].map((x) => circle(x, 90, 10, dark) + circle(x, 90, 4, light)).join(''),
  house: ({ accent, light, wood, second }) =>
    rect(16, 48, 68, 52, light) +
    path('M8 50 L50 14 L92 50 z', accent) +
    rect(42, 68, 18, 32, wood, 2) +
    rect(24, 58, 14, 14, mix(second, '#ffffff', 0.45), 1) +
    rect(64, 58, 14, 14, mix(second, '#ffffff', 0.45), 1) +
    rect(70, 18, 9, 20, shade(accent)),
  paint: ({ accent, second, light, wood }) =>
    rect(10, 54, 42, 46, light, 4) +
    rect(10, 66, 42, 18, accent) +
    oval(31, 54, 21, 5, accent) +
    line('M10 56 q21 -44 42 0', mix(light, '#555555', 0.5), 2.4) +
    rect(60, 62, 34, 16, second, 5) +
    line('M77 78 v6 h-10 v4', '#777777', 3) +
    rect(64, 86, 6, 14, wood, 2),
  dog: ({ wood, dark, accent, light }) =>
    path('M30 98 q-6 -34 10 -46 l24 0 q18 14 16 46 z', wood) +
    path('M78 92 q14 -6 12 -22 q4 24 -8 30 z', shade(wood)) +
    path('M24 20 q24 -16 46 2 q8 14 -2 26 q-20 14 -40 0 q-12 -12 -4 -28 z', wood) +
    path('M24 20 q-16 6 -12 30 q10 4 14 -8 z', shade(wood)) +
    path('M70 22 q16 6 12 30 q-10 4 -14 -8 z', shade(wood)) +
    oval(47, 44, 14, 11, light) +
    oval(47, 39, 5, 3.6, dark) +
    circle(38, 30, 3, dark) +
    circle(57, 30, 3, dark) +
    line('M47 43 v4 q-5 5 -9 1 M47 47 q5 5 9 1', dark, 1.8) +
    path('M32 55 q18 9 34 0 l1 7 q-18 8 -36 0 z', accent) +
    path('M38 66 q10 10 20 0 q2 20 -10 26 q-12 -6 -10 -26 z', light) +
    oval(38, 97, 9, 4, light) +
    oval(62, 97, 9, 4, light),
  cat: ({ dark, accent, second }) =>
    line('M76 92 q20 -4 16 -26 q-2 -10 -10 -8', mix(dark, '#8a8090', 0.45), 7) +
    path('M28 99 q-4 -40 22 -46 q28 6 28 46 z', mix(dark, '#8a8090', 0.45)) +
    path(
      'M26 20 l-4 -18 l16 10 q12 -4 24 0 l16 -10 l-4 18 q6 20 -8 30 q-16 8 -32 0 q-14 -10 -8 -30 z',
      mix(dark, '#8a8090', 0.45),
    ) +
    oval(40, 30, 4, 5, second) +
    oval(60, 30, 4, 5, second) +
    oval(40, 30, 1.4, 4, dark) +
    oval(60, 30, 1.4, 4, dark) +
    path('M47 38 h6 l-3 4 z', accent) +
    path('M34 54 q16 8 32 0 v6 q-16 7 -32 0 z', accent),
  petbowl: ({ second, wood, light }) =>
    path('M12 76 h76 l10 24 h-96 z', second) +
    oval(50, 76, 38, 8, shade(second)) +
    [34, 44, 54, 64].map((x, i) => circle(x, 74 - (i % 2) * 3, 6, wood)).join('') +
    circle(50, 90, 4, light) +
    circle(43, 85, 2, light) +
    circle(50, 83, 2, light) +
    circle(57, 85, 2, light),
  comb: ({ accent, wood }) =>
    rect(10, 60, 80, 14, wood, 7) +
    Array.from({ length: 13 }, (_, i) => rect(16 + i * 5.4, 72, 2.6, 24, accent, 1)).join(''),
  bottles: ({ accent, second, light, wood }) =>
    rect(12, 42, 26, 58, accent, 6) +
    rect(18, 28, 14, 14, wood, 2) +
    rect(12, 62, 26, 18, light) +
    rect(42, 58, 24, 42, second, 5) +
    rect(47, 46, 14, 12, light, 2) +
    path('M70 70 h22 l-3 30 h-16 z', tint(accent)) +
    rect(69, 62, 24, 9, wood, 3),
  mirror: ({ wood, accent, light }) =>
    oval(50, 96, 26, 4, shade(wood)) +
    rect(47, 70, 6, 26, wood) +
    circle(50, 42, 34, wood) +
    circle(50, 42, 29, mix(light, '#bcd6df', 0.5)) +
    path('M32 52 L58 18 l8 5 L40 60 z', '#ffffff', 'opacity=".45"') +
    circle(82, 94, 6, accent),
  towels: ({ accent, second, light }) =>
    [accent, light, second]
      .map(
        (colour, i) =>
          rect(12 + i * 3, 84 - i * 17, 76 - i * 6, 16, colour, 8) +
          line(`M${22 + i * 3} ${92 - i * 17} h${54 - i * 6}`, shade(colour), 1.6),
      )
      .join(''),
  blocks: ({ accent, second, leaf, wood }) =>
    rect(10, 70, 30, 30, accent, 3) +
    rect(44, 70, 30, 30, second, 3) +
    rect(26, 40, 30, 30, leaf, 3) +
    path('M62 70 l15 -26 l15 26 z', wood) +
    circle(25, 85, 8, tint(accent)) +
    rect(52, 78, 14, 14, tint(second), 2) +
    path('M41 47 l9 16 h-18 z', tint(leaf)),
  kite: ({ accent, second, leaf, wood }) =>
    path('M50 4 L84 40 L50 84 L18 40 z', accent) +
    path('M50 4 L84 40 L50 40 z', second) +
    path('M18 40 H50 V84 z', leaf) +
    line('M50 84 q10 6 4 10 q-8 4 2 6', wood, 2),
  globe: ({ second, leaf, wood }) =>
    oval(50, 96, 22, 4, shade(wood)) +
    rect(47, 82, 6, 14, wood) +
    line('M22 20 q-14 40 28 62 q26 6 34 -14', wood, 4) +
    circle(52, 44, 32, second) +
    path(
      'M34 26 q12 -10 20 0 q-2 10 -10 10 q2 10 -8 12 q-10 -10 -2 -22 z M58 44 q14 -6 20 4 q-4 18 -16 20 q-10 -10 -4 -24 z',
      leaf,
    ) +
    oval(42, 30, 10, 6, '#ffffff', 'opacity=".25"'),
  pencils: ({ accent, second, leaf, wood, light }) =>
    [
      [30, accent, -8],
      [42, second, -2],
      [54, leaf, 4],
      [64, accent, 10],
    ]
      .map(
        ([x, colour, turn]) =>
          `<g transform="rotate(${turn} ${x} 70)">${rect(Number(x), 20, 8, 60, String(colour))}${path(`M${x} 20 h8 l-4 -12 z`, light)}</g>`,
      )
      .join('') +
    path('M24 56 h52 l-4 44 h-44 z', wood) +
    path('M56 56 h20 l-4 44 h-12 z', shade(wood), 'opacity=".5"'),
  scales: ({ wood, accent }) =>
    rect(47, 18, 6, 74, wood) +
    oval(50, 96, 26, 5, shade(wood)) +
    circle(50, 16, 6, wood) +
    line('M12 28 Q50 18 88 28', wood, 4) +
    line('M12 28 l-10 30 M12 28 l10 30 M88 28 l-10 30 M88 28 l10 30', shade(wood), 1.6) +
    path('M-2 58 h28 q-2 14 -14 14 q-12 0 -14 -14 z M74 58 h28 q-2 14 -14 14 q-12 0 -14 -14 z', accent),
  folders: ({ accent, second, light, dark }) =>
    rect(12, 34, 62, 66, second, 3) +
    rect(20, 28, 62, 66, light, 3) +
    [40, 50, 60, 70]
      .map((y, i) => rect(28, y, i === 3 ? 26 : 44, 3.4, mix(dark, '#ffffff', 0.6), 1.5))
      .join('') +
    circle(68, 82, 8, accent) +
    line('M84 94 L60 50', dark, 4) +
    path('M60 50 l-3 -7 l7 4 z', accent),
  coins: ({ accent, wood }) =>
    [
      [26, 3],
      [50, 5],
      [74, 7],
    ]
      .map(([x, count]) =>
        Array.from({ length: count! }, (_, i) =>
          oval(x!, 95 - i * 8, 14, 4.6, i % 2 ? mix(accent, '#f2c14e', 0.75) : mix(wood, '#f2c14e', 0.55)),
        ).join(''),
      )
      .join(''),
  chart: ({ accent, second, light, dark }) =>
    rect(6, 20, 88, 72, light, 5) +
    rect(18, 62, 10, 20, second, 2) +
    rect(34, 52, 10, 30, second, 2) +
    rect(50, 44, 10, 38, second, 2) +
    rect(66, 34, 10, 48, accent, 2) +
    line('M18 52 L38 42 L54 34 L80 24', dark, 2.6) +
    circle(80, 24, 3.6, accent) +
    line('M30 92 l-6 8 M70 92 l6 8', dark, 3),
  clipboard: ({ wood, light, accent, dark }) =>
    rect(20, 16, 60, 82, wood, 5) +
    rect(26, 26, 48, 66, light, 2) +
    rect(38, 10, 24, 12, dark, 4) +
    [40, 54, 68]
      .map((y) => rect(32, y, 8, 8, accent, 2) + rect(46, y + 2, 22, 4, mix(dark, '#ffffff', 0.65), 2))
      .join(''),
  stethoscope: ({ dark, second, accent }) =>
    line('M26 12 v24 q0 18 18 18 q18 0 18 -18 v-24', dark, 4) +
    line('M44 54 v16 q0 22 20 22 q18 0 18 -20', second, 4) +
    circle(82, 66, 9, accent) +
    circle(82, 66, 4, '#ffffff') +
    circle(26, 11, 3.4, dark) +
    circle(62, 11, 3.4, dark),
  suitcase: ({ accent, wood, dark }) =>
    line('M38 34 v-14 h24 v14', dark, 4) +
    rect(10, 34, 80, 62, accent, 8) +
    rect(24, 34, 6, 62, wood) +
    rect(70, 34, 6, 62, wood) +
    rect(44, 56, 12, 9, dark, 2) +
    rect(18, 94, 8, 6, dark, 2) +
    rect(74, 94, 8, 6, dark, 2),
  tent: ({ accent, dark, light }) =>
    path('M6 100 L50 24 L94 100 z', accent) +
    path('M50 24 L94 100 h-26 z', shade(accent)) +
    path('M50 44 L66 100 h-32 z', dark) +
    path('M50 44 L40 100 h-6 z', light, 'opacity=".6"'),
  dumbbell: ({ dark, accent }) =>
    rect(24, 78, 52, 7, mix(dark, '#ffffff', 0.45), 3) +
    rect(10, 64, 14, 36, dark, 5) +
    rect(4, 70, 8, 24, accent, 3) +
    rect(76, 64, 14, 36, dark, 5) +
    rect(88, 70, 8, 24, accent, 3),
  mat: ({ accent, second }) =>
    path('M4 98 L24 80 H96 L84 98 z', accent) +
    oval(18, 88, 12, 11, second) +
    oval(18, 88, 7, 6.4, tint(second)) +
    oval(18, 88, 2.6, 2.4, shade(second)),
  ball: ({ second }) =>
    circle(50, 58, 42, second) +
    oval(36, 40, 14, 10, '#ffffff', 'opacity=".25" transform="rotate(-30 36 40)"') +
    line('M12 66 q38 20 76 0 M10 52 q40 20 80 0', shade(second), 1.6, 'opacity=".5"'),
  notebook: ({ accent, light, wood, dark }) =>
    rect(16, 30, 62, 70, accent, 4) +
    rect(22, 30, 5, 70, shade(accent)) +
    rect(36, 46, 30, 12, light, 2) +
    line('M90 98 L74 38', wood, 5) +
    path('M74 38 l-3.4 -8 l7 5 z', dark),
  boxes: ({ wood, accent, light }) =>
    rect(6, 58, 50, 42, wood, 2) +
    rect(24, 58, 14, 42, mix(wood, '#ffffff', 0.3)) +
    rect(48, 70, 44, 30, mix(wood, accent, 0.35), 2) +
    rect(64, 70, 12, 30, light, 0, 'opacity=".5"') +
    rect(18, 30, 36, 28, mix(wood, '#ffffff', 0.2), 2) +
    rect(31, 30, 10, 28, light, 0, 'opacity=".6"'),
} satisfies Record<string, Prop>;

export type PropName = keyof typeof props;
