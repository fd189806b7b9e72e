import { describe, expect, it } from 'vitest';
import { imageSettings, textSettings } from '../src/content-settings.ts';
import type { Platform } from '../src/platforms/platforms.ts';

const social: Platform[] = ['telegram', 'vk', 'max'];

describe('the settings of a text', () => {
  it('are the usual ones until the person has chosen', () => {
    expect(textSettings('wordpress', {}, null)).toEqual({
      styles: ['Информативный'],
      htmlStyle: 'Блог',
      words: { min: 1_500, max: 2_500 },
      wordsChosen: false,
    });
    for (const platform of social) {
      expect(textSettings(platform, null, undefined)).toMatchObject({
        styles: ['Разговорный'],
        words: { min: 100, max: 300 },
      });
    }
    expect(textSettings('pinterest', {}, null).words).toEqual({ min: 30, max: 60 });
  });

  it('come from the category where the platform has none of its own', () => {
    const category = {
      style: ['С юмором', 'Женский'],
      html_style: 'Лендинг',
      words_min: 800,
      words_max: 900,
    };
    expect(textSettings('wordpress', category, null)).toEqual({
      styles: ['С юмором', 'Женский'],
      htmlStyle: 'Лендинг',
      words: { min: 800, max: 900 },
      wordsChosen: true,
    });
  });

  it('take a style stored as one word', () => {
    expect(textSettings('vk', { style: 'Дружелюбный' }, null).styles).toEqual(['Дружелюбный']);
  });

  it('give a post the manner of its category and not the length, which is meant for articles', () => {
    expect(
      textSettings('vk', { style: ['Женский'], words_min: 2_000, words_max: 3_000 }, null),
    ).toMatchObject({
      styles: ['Женский'],
      words: { min: 100, max: 300 },
      wordsChosen: false,
    });
  });

  it('are replaced as a whole by those of the platform', () => {
    const settings = textSettings('telegram', { style: ['Женский'] }, { words_min: 50, words_max: 80 });
    expect(settings).toMatchObject({
      styles: ['Разговорный'],
      words: { min: 50, max: 80 },
      wordsChosen: true,
    });
  });

  it.each([
    [{ words_max: 50 }, { min: 50, max: 50 }],
    [{ words_max: 200 }, { min: 100, max: 200 }],
    [{ words_min: 400 }, { min: 400, max: 400 }],
    [{ words_min: 200 }, { min: 200, max: 300 }],
    [
      { words_min: 200, words_max: 150 },
      { min: 200, max: 200 },
    ],
  ])('make a range of half a choice: %j', (override, words) => {
    expect(textSettings('telegram', {}, override).words).toEqual(words);
  });

  it.each(['nonsense', 7, [], { style: 5, words_min: -1, words_max: 'many', html_style: {} }])(
    'survive whatever is stored: %j',
    (stored) => {
      expect(textSettings('wordpress', stored, null)).toEqual(textSettings('wordpress', {}, null));
    },
  );
});

describe('the settings of pictures', () => {
  it('are four pictures for a site and one elsewhere until the person has chosen', () => {
    expect(imageSettings('wordpress', {}, null)).toEqual({
      formats: [],
      styles: ['Фотореализм'],
      tones: ['Нейтральный'],
      cameras: [],
      angles: [],
      size: '1K',
      quality: 'HD',
      count: 4,
      textOnImage: 0,
      collage: 0,
    });
    for (const platform of social) expect(imageSettings(platform, {}, null).count).toBe(1);
  });

  it('take none for an answer', () => {
    expect(imageSettings('wordpress', { count: 0 }, null).count).toBe(0);
  });

  it('take the square for a choice like any other', () => {
    expect(imageSettings('wordpress', { formats: ['1:1'] }, null).formats).toEqual(['1:1']);
    expect(imageSettings('wordpress', {}, null).formats).toEqual([]);
  });

  it('give a post one picture or none, and a pin exactly one, whatever its category wants for articles', () => {
    for (const platform of social) expect(imageSettings(platform, { count: 7 }, null).count).toBe(1);
    expect(imageSettings('telegram', { count: 0 }, null).count).toBe(0);
    expect(imageSettings('pinterest', {}, { count: 0 }).count).toBe(1);
    expect(imageSettings('pinterest', { count: 4 }, null).count).toBe(1);
  });

  it.each([
    ['HD', '1K'],
    ['Ultra HD', '2K'],
    ['8K', '4K'],
    ['RAW', '1K'],
  ])('draw %s as %s', (quality, size) => {
    expect(imageSettings('vk', { quality }, null)).toMatchObject({ quality, size });
  });

  it('are replaced as a whole by those of the platform', () => {
    expect(imageSettings('vk', { styles: ['Аниме'], count: 3 }, { tones: ['Яркий'] })).toMatchObject({
      styles: ['Фотореализм'],
      tones: ['Яркий'],
      count: 1,
    });
  });

  it.each(['nonsense', 7, [], { formats: ['7:7'], styles: 5, count: 99, text_on_image: 'x' }])(
    'survive whatever is stored: %j',
    (stored) => {
      expect(imageSettings('wordpress', stored, null)).toEqual(imageSettings('wordpress', {}, null));
    },
  );

  it('fall back to the category when the platform’s own cannot be read', () => {
    expect(imageSettings('vk', { styles: ['Аниме'] }, 'nonsense').styles).toEqual(['Аниме']);
    expect(textSettings('vk', { style: ['Женский'] }, 'nonsense').styles).toEqual(['Женский']);
  });
});
