import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { aspectRatios } from '../../../src/content-settings.ts';
import { drawPicture } from '../../../src/sandbox/openrouter/author/draw-picture.ts';
import { promptFor } from './asking.ts';

const brief = {
  keyword: 'кухни на заказ',
  content_type: 'article',
  style: 'реализм',
  tone: 'тёплый',
  specialization: 'мебель',
  total_images: 4,
};
const draw = async (change: Record<string, string | number>, aspectRatio = '4:3', size = '1K') => {
  const { user } = await promptFor('image', { ...brief, image_number: 1, ...change });
  return drawPicture({ prompt: user, aspectRatio, size });
};

/** A picture as 16 by 16 grey dots: enough to tell compositions apart, too little to be fooled by an edge. */
const glance = (png: Buffer) => sharp(png).resize(16, 16, { fit: 'fill' }).greyscale().raw().toBuffer();
const difference = (one: Buffer, other: Buffer) =>
  one.reduce((sum, dot, i) => sum + Math.abs(dot - other[i]!), 0) / one.length;

describe('a picture of the sandbox', () => {
  it.each(aspectRatios)('has the shape %s at about a megapixel', async (aspectRatio) => {
    const { format, width, height } = await sharp(await draw({}, aspectRatio)).metadata();
    const [w, h] = aspectRatio.split(':').map(Number) as [number, number];
    expect(format).toBe('png');
    expect(width / height / (w / h)).toBeCloseTo(1, 1);
    expect(width * height).toBeGreaterThan(800_000);
    expect(width * height).toBeLessThan(1_700_000);
  });

  it('is larger when more is asked for', async () => {
    expect(await sharp(await draw({}, '16:9', '2K')).metadata()).toMatchObject({
      width: 2_688,
      height: 1_536,
    });
  });

  it('is the same for the same prompt', async () => {
    expect((await draw({})).equals(await draw({}))).toBe(true);
  });

  it('is composed anew for each of the four pictures of an article', async () => {
    const glances = await Promise.all(
      [1, 2, 3, 4].map(async (image_number) => glance(await draw({ image_number }))),
    );
    for (const [i, one] of glances.entries()) {
      for (const other of glances.slice(0, i)) expect(difference(one, other)).toBeGreaterThan(8);
    }
  });

  it('shows another trade with other things', async () => {
    const [kitchen, car] = [
      await draw({}),
      await draw({ keyword: 'шиномонтаж', specialization: 'автосервис' }),
    ];
    expect(difference(await glance(kitchen), await glance(car))).toBeGreaterThan(8);
  });

  it('wears the colour of the brand', async () => {
    const share = async (png: Buffer) => {
      const { data } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      let violet = 0;
      for (let at = 0; at < data.length; at += 3) {
        if (data[at]! > data[at + 1]! + 60 && data[at + 2]! > data[at + 1]! + 60) violet += 1;
      }
      return violet / (data.length / 3);
    };
    expect(await share(await draw({}))).toBeLessThan(0.001);
    expect(await share(await draw({ accent_color: '#9b1fd6' }))).toBeGreaterThan(0.01);
  });

  it('is drawn even from a prompt without tags', async () => {
    const png = await drawPicture({ prompt: 'A cup of coffee', aspectRatio: 'odd', size: 'odd' });
    expect(await sharp(png).metadata()).toMatchObject({ width: 1_024, height: 1_024 });
  });
});
