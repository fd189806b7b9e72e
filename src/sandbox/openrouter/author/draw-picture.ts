import sharp from 'sharp';
import { makeChance } from './chance.ts';
import { findNiche } from './find-niche.ts';
import { casts } from './picture/casts.ts';
import { closeUp, openAir, panels } from './picture/compositions.ts';
import { paletteFor } from './picture/palette.ts';
import { pictureSize } from './picture/picture-size.ts';
import { props } from './picture/props.ts';
import { room } from './picture/room.ts';
import { type Composition, paints, type Stage } from './picture/stage.ts';
import { numberOf, readTags } from './read-tags.ts';

/**
 * A flat illustration made of the trade's things. The pictures of one publication share their colours and differ in
 * composition and in what stands in front.
 */
export async function drawPicture(request: {
  prompt: string;
  aspectRatio: string;
  size: string;
}): Promise<Buffer> {
  const { prompt, aspectRatio, size } = request;
  const { width, height } = pictureSize(aspectRatio, size);
  const svg = sceneFor(prompt, width, height);
  return sharp(Buffer.from(svg)).png({ compressionLevel: 6 }).toBuffer();
}

/** Picture after picture: how it is composed, and which of the trade's things stands in front. */
const plans: Readonly<Record<'indoors' | 'outdoors', readonly { compose: Composition; lead: number }[]>> = {
  indoors: [
    { compose: room, lead: 0 },
    { compose: closeUp, lead: 1 },
    { compose: panels, lead: 2 },
    { compose: openAir, lead: 0 },
  ],
  outdoors: [
    { compose: openAir, lead: 0 },
    { compose: closeUp, lead: 1 },
    { compose: panels, lead: 2 },
    { compose: openAir, lead: 1 },
  ],
};

function sceneFor(prompt: string, width: number, height: number): string {
  const tags = readTags(prompt);
  const keyword = tags('keyword') || prompt.slice(0, 200);
  const niche = findNiche('', keyword, tags('specialization'));
  const { place, backdrop, things } = casts[niche];
  const number = Math.max(1, numberOf(tags('image_number'), 0)) - 1;
  const chance = makeChance(prompt);

  const plan = plans[place === 'outdoors' ? 'outdoors' : 'indoors'];
  const { compose, lead } = tags('image_number') ? plan[number % plan.length]! : chance.pick(plan);
  const turn = (lead + Math.floor(number / plan.length)) % things.length;
  const names = [...things.slice(turn), ...things.slice(0, turn)];
  const stage: Stage = {
    ...{ width, height, backdrop, place, chance },
    unit: Math.min(width, height) / 100,
    colours: paletteFor(niche, tags, makeChance(`${keyword}|${tags('company_name')}`)),
    cast: names.map((name) => props[name]),
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${paints(stage)}${compose(stage)}</svg>`;
}
