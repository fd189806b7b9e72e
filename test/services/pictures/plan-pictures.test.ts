import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as pictureWords from '../../../src/services/pictures/picture-words.ts';
import {
  type DirectorPlan,
  directorVariables,
  outlineSections,
  type PictureSubject,
  planPictures,
} from '../../../src/services/pictures/plan-pictures.ts';
import { spreadOverSections } from '../../../src/services/pictures/spread-over-sections.ts';
import { sectionsOf, settingsOf, subjectOf } from './subject.ts';

const shapes = (change: Partial<PictureSubject>, director?: DirectorPlan) =>
  planPictures(subjectOf(change), director).map(({ aspectRatio }) => aspectRatio);
const variables = (change: Partial<PictureSubject>, i = 0) => planPictures(subjectOf(change))[i]!.variables;
const post = (platform: PictureSubject['platform'], stored: object = {}): Partial<PictureSubject> => ({
  contentType: 'social_post',
  platform,
  settings: settingsOf(stored, platform),
  sections: [],
});

describe('the shape of a picture', () => {
  it('follows its place in an article when none is chosen', () => {
    expect(shapes({ settings: settingsOf({ count: 5 }) })).toEqual(['16:9', '4:3', '4:3', '1:1', '1:1']);
    expect(shapes({ settings: settingsOf({ count: 2, formats: ['1:1'] }) })).toEqual(['1:1', '1:1']);
  });

  it('is the chosen one for all, or the chosen ones in turn', () => {
    expect(shapes({ settings: settingsOf({ count: 3, formats: ['3:2'] }) })).toEqual(['3:2', '3:2', '3:2']);
    expect(shapes({ settings: settingsOf({ count: 3, formats: ['3:2', '21:9'] }) })).toEqual([
      '3:2',
      '21:9',
      '3:2',
    ]);
  });

  it.each(['telegram', 'vk', 'max'] as const)('is square for %s unless another is chosen', (platform) => {
    expect(shapes(post(platform))).toEqual(['1:1']);
    expect(shapes(post(platform, { formats: ['4:5'] }))).toEqual(['4:5']);
  });

  it('is always 2:3 for a pin', () => {
    expect(shapes(post('pinterest'))).toEqual(['2:3']);
    expect(shapes(post('pinterest', { formats: ['16:9'] }))).toEqual(['2:3']);
  });

  it.each([
    ['HD', '1K'],
    ['Ultra HD', '2K'],
    ['8K', '4K'],
    ['Кинематограф', '1K'],
  ])('has the size of its quality: %s is %s', (quality, size) => {
    expect(planPictures(subjectOf({ settings: settingsOf({ quality }) }))[0]!.size).toBe(size);
  });
});

describe('what a picture is drawn from', () => {
  it('is told in English, but for the words of the person', () => {
    const told = variables({
      keyword: 'kitchen',
      companyName: 'Mebel Plus',
      specialization: 'kitchens',
      sections: [],
      settings: settingsOf({
        styles: ['Акварель', 'Минимализм'],
        tones: ['Тёплый'],
        cameras: ['Leica Q2'],
        angles: ['Вид сверху'],
        quality: 'Студийное',
        text_on_image: 25,
        collage: 50,
      }),
    });
    expect(JSON.stringify(told)).not.toMatch(/\p{Script=Cyrillic}/u);
    expect(told).toMatchObject({
      style: expect.stringMatching(/watercolor.*minimalist/u),
      tone: 'warm colors',
      camera_instruction: expect.stringMatching(/Leica Q2.*studio lighting/u),
      angle_instruction: 'Camera angle: top view, flat lay.',
      text_on_image_instruction: expect.stringContaining('25%'),
      variation_hint: expect.stringMatching(/flat lay; collage .* 50%/u),
      niche_style: 'furniture in lived-in interiors',
      accent_color: '#0066cc',
      primary_color: undefined,
    });
  });

  it('has every option of the settings in its words', () => {
    const { styles, tones, cameras, angles } = pictureWords;
    expect([styles, tones, cameras, angles].map((table) => Object.keys(table).length)).toEqual([
      10, 6, 10, 10,
    ]);
  });

  it('forgets an option that no longer exists', () => {
    const told = variables({
      settings: settingsOf({ styles: ['Кубизм', 'constructor'], angles: ['toString'] }),
    });
    expect(told).toMatchObject({ style: pictureWords.styles.Фотореализм, angle_instruction: '' });
  });

  it('varies by the chosen angles in turn, or else by the usual views', () => {
    const hints = (stored: object) =>
      planPictures(subjectOf({ settings: settingsOf({ count: 5, ...stored }) })).map(
        ({ variables: { variation_hint } }) => variation_hint,
      );
    expect(hints({ angles: ['Макро', 'Аэросъёмка'] }).slice(0, 3)).toEqual([
      'macro shot of a detail',
      'aerial view',
      'macro shot of a detail',
    ]);
    expect(new Set(hints({})).size).toBe(4);
    expect(hints({})[4]).toBe(hints({})[0]);
  });

  it('is never watermarked, blurred or misdrawn', () => {
    for (const fault of ['watermark', 'logo', 'overlay text', 'blur', 'hands', 'faces', 'oversaturated']) {
      expect(variables({}).director_negative_prompt).toContain(fault);
    }
    const lettered = variables({ settings: settingsOf({ text_on_image: 50 }) }).director_negative_prompt;
    expect(lettered).not.toContain('overlay text');
    expect(lettered).toContain('misspelled text');
  });

  it('is its section: the heading and no more than 300 words', () => {
    const long = { heading: 'Фасады', context: 'слово '.repeat(400) };
    const { block_context } = variables({ sections: [long], suggestions: ['белый фасад'] });
    const [heading, ...rest] = String(block_context).split('\n');
    expect(heading).toBe('Фасады');
    expect(rest[0]).toBe('Suggested picture: белый фасад.');
    expect(rest.join(' ').split(/\s+/u)).toHaveLength(300);
  });

  it('has lettering only where it was asked for', () => {
    expect(variables({}).text_on_image_instruction).toBe('');
    expect(variables({ settings: settingsOf({ text_on_image: 75 }) }).text_on_image_instruction).toContain(
      '75%',
    );
  });

  it('is called what it is for', () => {
    expect(variables({}).content_type).toBe('article');
    expect(variables(post('vk')).content_type).toBe('social_post');
    expect(variables(post('pinterest')).content_type).toBe('pin');
  });

  it('is the keyword alone where there is no outline', () => {
    expect(variables({ sections: [] })).toMatchObject({ block_context: '', keyword: 'кухня на заказ' });
  });

  it('is read from the outline', () => {
    const section = { h2: 'Фасады', h3_list: [], key_points: ['МДФ', 'пластик'], target_phrases: [] };
    const outline = { title: '', faq_questions: [], target_word_count: 0, suggested_images: [] };
    expect(outlineSections({ ...outline, sections: [section] })).toEqual([
      { heading: 'Фасады', context: 'МДФ. пластик' },
    ]);
  });
});

describe('the spreading of pictures over sections', () => {
  it.each([
    [4, 6, [1, 2, 3, 4]],
    [2, 8, [1, 4]],
    [4, 5, [0, 1, 2, 3]],
    [3, 3, [0, 1, 2]],
    [4, 2, [0, 1, 0, 1]],
    [3, 0, []],
    [0, 5, []],
  ])('of %i over %i', (pictures, sections, places) => {
    expect(spreadOverSections(pictures, sections)).toEqual(places);
  });

  it('stays within the sections, and uses none twice while others are free', () => {
    fc.assert(
      fc.property(fc.nat(10), fc.nat(30), (pictures, sections) => {
        const places = spreadOverSections(pictures, sections);
        expect(places.every((place) => place >= 0 && place < sections)).toBe(true);
        expect(new Set(places).size).toBe(Math.min(pictures, sections));
      }),
    );
  });
});

describe("the director's plan", () => {
  const order = (section_index: number, aspect_ratio = '3:2') => ({
    section_index,
    concept: '',
    prompt: `prompt ${section_index}`,
    negative_prompt: 'plastic plants',
    aspect_ratio,
  });
  const plan = (...images: DirectorPlan['images']): DirectorPlan => ({ images, visual_narrative: '' });

  it('replaces prompt, shape and what is unwanted', () => {
    const [first, second] = planPictures(
      subjectOf({ settings: settingsOf({ count: 2 }) }),
      plan(order(3), order(1)),
    );
    expect(first!.variables).toMatchObject({
      director_prompt: 'prompt 1',
      director_negative_prompt: 'plastic plants',
      variation_hint: '',
    });
    expect(second).toMatchObject({ aspectRatio: '3:2', variables: { director_prompt: 'prompt 3' } });
  });

  it('with an unknown shape means 4:3, and cannot change that of a pin', () => {
    expect(shapes({ settings: settingsOf({ count: 1 }) }, plan(order(1, 'панорама')))).toEqual(['4:3']);
    expect(shapes(post('pinterest'), plan(order(0, '16:9')))).toEqual(['2:3']);
  });

  it('is cut when it is too long, and filled up when it is too short', () => {
    const settings = settingsOf({ count: 2 });
    expect(shapes({ settings }, plan(order(1), order(2), order(3)))).toHaveLength(2);
    const [, undirected] = planPictures(subjectOf({ settings }), plan(order(1)));
    expect(undirected).toMatchObject({ aspectRatio: '4:3', variables: { director_prompt: '' } });
  });

  it('is asked for the sections that will get pictures', () => {
    const asked = directorVariables(
      subjectOf({ settings: settingsOf({ count: 2 }), sections: sectionsOf(6) }),
    )!;
    expect(asked).toMatchObject({
      image_count: 2,
      article_title: 'Кухня на заказ: как выбрать',
      niche: 'furniture',
      brand_colors: '#0066cc',
      target_sections: [
        { index: 1, heading: 'Раздел 2', context: 'О разделе 2' },
        { index: 3, heading: 'Раздел 4', context: 'О разделе 4' },
      ],
    });
    expect(directorVariables(subjectOf({ sections: [] }))).toBeNull();
    expect(directorVariables(subjectOf({ settings: settingsOf({ count: 0 }) }))).toBeNull();
  });
});
