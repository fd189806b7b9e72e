import { describe, expect, it } from 'vitest';
import {
  contentOptions,
  inheritedBlock,
  isOffered,
  type SettingKey,
  settingOf,
  withChoice,
} from '../src/content-options.ts';
import { imageSettings, textSettings } from '../src/content-settings.ts';
import { platformNames } from '../src/platforms/platforms.ts';
import { angles, cameras, qualityHints, styles, tones } from '../src/services/pictures/picture-words.ts';

const keys = Object.keys(contentOptions) as SettingKey[];

describe('every option', () => {
  it.each([
    ['is', styles],
    ['it', tones],
    ['ik', cameras],
    ['ia', angles],
  ] as const)('of %s has words that models draw from', (key, words) => {
    expect([...contentOptions[key].options].sort()).toEqual(Object.keys(words).sort());
  });

  it('of quality is a size or a hint', () => {
    const offered = contentOptions.iq.choices().map(({ label }) => label);
    expect(offered).toEqual(['HD', 'Ultra HD', '8K', ...Object.keys(qualityHints)]);
  });

  it.each(keys)('of %s takes effect when it is pressed, wherever it is offered', (key) => {
    const setting = settingOf(key);
    for (const scope of [null, ...platformNames].filter((each) => isOffered(key, each))) {
      const count = setting.kind === 'one' ? setting.choices(scope).length : setting.options.length;
      const first = setting.kind === 'many' && setting.none !== undefined ? 1 : 0;
      for (let i = first; i < count + first; i += 1) {
        const edited = withChoice(key, i, true, {}, scope);
        if (typeof edited === 'string') throw new Error(`option ${i} was not taken`);
        const platform = scope ?? 'wordpress';
        const override = scope === null ? null : edited.stored;
        const effective = {
          text: textSettings(platform, scope === null ? edited.stored : {}, override),
          images: imageSettings(platform, scope === null ? edited.stored : {}, override),
        };
        if (setting.kind === 'one')
          expect(setting.isNow(effective, setting.choices(scope)[i]!), `${scope} ${i}`).toBe(true);
        else expect(setting.now(effective)).toEqual([setting.options[i - first]]);
      }
    }
  });
});

describe('a press', () => {
  it('adds to a list in the order of the table and takes away again, as often as it comes', () => {
    const one = taken(withChoice('ts', 7, true, {}, null));
    const two = taken(withChoice('ts', 0, true, one, null));
    expect(two).toEqual({ style: ['Рекламный', 'С юмором'] });
    expect(taken(withChoice('ts', 0, true, two, null))).toEqual(two);
    expect(taken(withChoice('ts', 7, false, two, null))).toEqual({ style: ['Рекламный'] });
  });

  it('joins three styles of text at most', () => {
    const three = { style: ['Рекламный', 'Женский', 'С юмором'] };
    expect(withChoice('ts', 2, true, three, null)).toBe('full');
    expect(withChoice('ts', 0, true, three, null), 'one of the three again').not.toBe('full');
  });

  it('on «Автоматически» empties the list of formats', () => {
    expect(taken(withChoice('if', 0, true, { formats: ['1:1'], count: 2 }, null))).toEqual({
      formats: [],
      count: 2,
    });
  });

  it('leaves everything else as it was', () => {
    expect(taken(withChoice('tw', 0, true, { style: ['Женский'] }, 'telegram'))).toEqual({
      style: ['Женский'],
      words_min: 50,
      words_max: 100,
    });
  });

  it.each([99, 10])('on an option that is not there changes nothing: %i', (i) => {
    expect(withChoice('ts', i, true, {}, null)).toBe('unchanged');
    expect(withChoice('th', i, true, {}, null)).toBe('unchanged');
  });
});

it('a platform begins its own settings with those of the category, but a post without the length of an article', () => {
  const text = { style: ['Женский'], words_min: 1_500, words_max: 2_500 };
  expect(inheritedBlock('text', 'wordpress', text)).toEqual(text);
  expect(inheritedBlock('text', 'vk', text)).toEqual({ style: ['Женский'] });
});

it('a pin is not asked for what it cannot have: a length, a format, a number of pictures', () => {
  expect(keys.filter((key) => !isOffered(key, 'pinterest'))).toEqual(['th', 'tw', 'ic', 'if']);
});

function taken(edited: ReturnType<typeof withChoice>) {
  if (typeof edited === 'string') throw new Error(`not taken: ${edited}`);
  return edited.stored;
}
