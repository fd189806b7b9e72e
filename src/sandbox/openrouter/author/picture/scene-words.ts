import type { Niche } from '../../../../services/quality/niches.ts';

export const niceViews: readonly string[] = [
  'A wide establishing view',
  'A close-up',
  'A view from above',
  'A three-quarter view',
];

type SceneWords = { setting: string; subjects: readonly string[]; light: string };

export const nicheScenes: Readonly<Record<Niche, SceneWords>> = {
  pets: {
    setting: 'in a bright grooming room',
    subjects: ['a calm dog on a table', 'combs and towels on a shelf', 'a cat resting by a window'],
    light: 'soft morning light',
  },
  beauty: {
    setting: 'in a small pastel studio',
    subjects: ['brushes and bottles on marble', 'a round mirror with flowers', 'folded towels and a candle'],
    light: 'diffused studio light',
  },
  children: {
    setting: 'in a sunny playroom',
    subjects: ['wooden blocks on a rug', 'a low shelf with picture books', 'a paper kite by the window'],
    light: 'bright daylight',
  },
  medical: {
    setting: 'in a clean consulting room',
    subjects: [
      'a desk with a stethoscope',
      'a glass cabinet with instruments',
      'a green plant by a wide window',
    ],
    light: 'clean daylight',
  },
  legal: {
    setting: 'in a dark-wood office',
    subjects: [
      'a desk with a green lamp and folders',
      'shelves of bound volumes',
      'a fountain pen on a contract',
    ],
    light: 'warm lamp light',
  },
  finance: {
    setting: 'in a blue and white office',
    subjects: [
      'a notebook with a rising chart',
      'neat stacks of coins and a plant',
      'a calculator beside documents',
    ],
    light: 'cool daylight',
  },
  furniture: {
    setting: 'in a lived-in bright room',
    subjects: ['an oak table with chairs', 'a kitchen front with brass handles', 'a sofa under a floor lamp'],
    light: 'natural side light',
  },
  auto: {
    setting: 'in a tidy workshop',
    subjects: ['a car on a lift', 'a stack of tyres', 'tools hanging on a wall'],
    light: 'dynamic reflections',
  },
  realestate: {
    setting: 'in a spacious new flat',
    subjects: ['a wide window over the city', 'a ladder and paint cans', 'a bright empty room with parquet'],
    light: 'wide bright daylight',
  },
  food: {
    setting: 'in a small café',
    subjects: ['a cup of coffee with a croissant', 'a bowl of soup with herbs', 'a cake on a stand'],
    light: 'warm light with shallow focus',
  },
  education: {
    setting: 'in a cosy classroom',
    subjects: [
      'a desk with books and a globe',
      'a notebook with coloured pencils',
      'a blackboard and an apple',
    ],
    light: 'natural light',
  },
  it: {
    setting: 'at a tidy workplace',
    subjects: ['a laptop with an abstract layout', 'a phone beside sketches', 'a monitor with a plant'],
    light: 'soft neutral light',
  },
  travel: {
    setting: 'outdoors at golden hour',
    subjects: ['a mountain lake with pines', 'a road leading to hills', 'a tent under the first stars'],
    light: 'golden hour light',
  },
  sport: {
    setting: 'in an airy hall',
    subjects: ['a yoga mat with blocks', 'dumbbells on a wooden floor', 'running shoes by the door'],
    light: 'contrasting side light',
  },
  construction: {
    setting: 'on a working site',
    subjects: ['a tower crane and a frame', 'stacked bricks on a pallet', 'a mixer truck by a foundation'],
    light: 'clear morning light',
  },
  general: {
    setting: 'in a quiet workshop',
    subjects: ['a wooden desk with tools', 'a still life with a notebook', 'a shelf with neat boxes'],
    light: 'natural light',
  },
};
