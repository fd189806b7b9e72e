import type { Niche } from '../../../../services/quality/niches.ts';
import type { Chance } from '../chance.ts';
import type { Tags } from '../read-tags.ts';

export type Palette = {
  /** The wall or sky, from top to bottom. */
  sky: string;
  haze: string;
  ground: string;
  /** Two colours that catch the eye, one that carries wood and leather, one for leaves. */
  accent: string;
  second: string;
  wood: string;
  leaf: string;
  dark: string;
  light: string;
};

const base = { wood: '#b98a5e', leaf: '#6f9274', dark: '#3b3a45', light: '#fbf7f0' };

/** Two moods for every trade, so that two companies of one trade do not share a picture. */
const moods: Readonly<Record<Niche, readonly [Partial<Palette>, Partial<Palette>]>> = {
  pets: [
    warm('#f6e7d4', '#efd2b4', '#d9ab84', '#d9734e', '#5f8fa3'),
    cool('#e3efe8', '#cfe3d8', '#a9c4b4', '#e08e5b', '#55788a'),
  ],
  beauty: [
    warm('#fbe9ea', '#f5d3d6', '#e5b3ba', '#c9687f', '#8d7aa8'),
    cool('#f3ecf6', '#e5d6ec', '#cbb3d8', '#d9849b', '#7f6aa0'),
  ],
  children: [
    warm('#fff1d6', '#ffe0a8', '#f3c177', '#ef7b5a', '#4f9fb5'),
    cool('#e2f3f7', '#c6e6ee', '#9fcfd9', '#f2a65a', '#e4687a'),
  ],
  medical: [
    cool('#eaf6f6', '#d3ebec', '#acd3d5', '#3aa0a6', '#6c8fc7'),
    cool('#eef4fb', '#d9e7f5', '#b5cde6', '#4a90c2', '#56b3a4'),
  ],
  legal: [
    warm('#e9dccb', '#cdb89c', '#8f6f52', '#8c3b32', '#38506b'),
    warm('#e5e0d6', '#c7bca8', '#7a5c44', '#b0803d', '#33524a'),
  ],
  finance: [
    cool('#eef3fa', '#d5e2f2', '#a7c0de', '#2f6fb5', '#e0a03c'),
    cool('#edf2f4', '#d3dfe6', '#9fb8c8', '#2b5d8c', '#4fa38a'),
  ],
  furniture: [
    warm('#f3ece1', '#e3d5c1', '#c29c74', '#c4643f', '#5c7f73'),
    cool('#e9ece6', '#d2d9cc', '#b39a7c', '#7c8f5a', '#c98a4b'),
  ],
  auto: [
    cool('#dfe6ee', '#bccbd9', '#76869a', '#d8452f', '#f0b13c'),
    warm('#f1e4d8', '#dcc3ab', '#8a7a70', '#2f6f9f', '#e0662f'),
  ],
  realestate: [
    cool('#e8f1f6', '#cfe1ec', '#c9b090', '#e0824a', '#4d86a6'),
    warm('#f5eee2', '#e7d8bf', '#c8a67c', '#5d8f86', '#d3704c'),
  ],
  food: [
    warm('#faead3', '#f0cf9f', '#b97f4e', '#c8502f', '#7b8f45'),
    warm('#f5e3da', '#e5bfae', '#9c6650', '#a8382f', '#d79a3c'),
  ],
  education: [
    warm('#fbf0d9', '#f0dcae', '#c79f68', '#3f7fa8', '#d9593f'),
    cool('#e6f0ee', '#cde0dc', '#b49770', '#e08a3c', '#4a7f78'),
  ],
  it: [
    cool('#e9ecf7', '#cfd6ee', '#9aa5cf', '#5865c9', '#f0885a'),
    cool('#e5f1f2', '#c9e1e4', '#8fb4bb', '#1f8a94', '#f2a93c'),
  ],
  travel: [
    warm('#fde3c4', '#f6b98f', '#5e7f6d', '#e0664a', '#3f6f8f'),
    cool('#d7ebf5', '#f3e2c9', '#6d9277', '#e88d4a', '#4b7fa3'),
  ],
  sport: [
    cool('#e6f0ec', '#c8ddd5', '#b79a78', '#e56a4a', '#2f7f78'),
    warm('#f6e9df', '#e8cdb8', '#b58a6a', '#4a7fb0', '#e0a03c'),
  ],
  construction: [
    cool('#dfeaf2', '#f2e4cf', '#b59a78', '#e8902f', '#5d7f99'),
    warm('#f8e2c6', '#efc69b', '#a98562', '#d9612f', '#4f7386'),
  ],
  general: [
    warm('#f6eee2', '#e8d9c2', '#c1a07a', '#d0704a', '#4f7f8c'),
    cool('#e8eef2', '#d0dce4', '#a9b7b2', '#e0914f', '#5c76a6'),
  ],
};

/** The brand's colours, when it has any, take the place of the accents. */
export function paletteFor(niche: Niche, tags: Tags, chance: Chance): Palette {
  const mood = { ...base, ...chance.pick(moods[niche]) } as Palette;
  const brand = [tags('accent_color'), tags('primary_color')].filter(isOwnColour);
  const [accent = mood.accent, second = mood.second] = brand;
  return { ...mood, accent, second };
}

/** What the prompt says when no site has been read. */
const unset = new Set(['#333333', '#0066cc', '#ffffff', '#000000']);
const isOwnColour = (colour: string): boolean =>
  /^#[0-9a-f]{6}$/iu.test(colour) && !unset.has(colour.toLowerCase());

function warm(sky: string, haze: string, ground: string, accent: string, second: string): Partial<Palette> {
  return { sky, haze, ground, accent, second };
}
function cool(sky: string, haze: string, ground: string, accent: string, second: string): Partial<Palette> {
  return { sky, haze, ground, accent, second, wood: '#a98e72', dark: '#2f3644' };
}

/** Towards another colour: 0 stays, 1 arrives. */
export function mix(one: string, other: string, share: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [from, to] = [one, other].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16)) as [
      number,
      number,
    ];
    return Math.round(from + (to - from) * share)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}
