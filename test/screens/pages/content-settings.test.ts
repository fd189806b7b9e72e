import { expect, it } from 'vitest';
import { pageOf } from '../../../src/compose/content-settings.ts';
import { toHtml } from '../../../src/messengers/telegram/to-html.ts';
import { categoryCardScreen } from '../../../src/screens/pages/categories.ts';
import { settingsScreen } from '../../../src/screens/pages/content-settings.ts';
import { aCategory } from '../../menu/played-menu.ts';

const category = {
  ...{ categoryId: 3, categoryName: 'Букеты', projectId: 5, overrides: {} },
  platforms: ['wordpress', 'telegram', 'vk', 'pinterest', 'max'] as const,
  own: { text: {}, image: {} },
};
const shown = (own: typeof category.own, scope: 'wordpress' | 'max' | null) =>
  toHtml(settingsScreen(pageOf({ ...category, platforms: [...category.platforms], own }, scope)).text);

it('a platform is like its category only where it takes something from it', () => {
  const untouched = shown(category.own, 'max');
  expect(untouched).toContain('<b>Текст</b> · обычные\nСтиль текста: Разговорный');
  const styled = shown({ text: { style: ['С юмором'], words_min: 500, words_max: 1_000 }, image: {} }, 'max');
  expect(styled).toContain('<b>Текст</b> · как у категории\nСтиль текста: С юмором');
  expect(styled).toContain('<b>Картинки</b> · обычные');
  expect(shown({ text: { words_min: 500, words_max: 1_000 }, image: {} }, 'max')).toContain(
    '<b>Текст</b> · обычные',
  );
  expect(shown(category.own, 'wordpress')).toContain('<b>Текст</b> · как у категории');
});

it('thousands of words are written as all other thousands', () => {
  expect(shown(category.own, null)).toContain('Объём: 1\u2009500–2\u2009500 слов');
});

it('platforms stand in one order, whenever they were connected', () => {
  const { keyboard } = categoryCardScreen({ ...aCategory, platforms: ['max', 'telegram', 'vk'] }, () => true);
  const labels = keyboard.flat().map(({ label }) => label);
  expect(labels.filter((label) => ['MAX', 'Telegram', 'VK'].includes(label))).toEqual([
    'Telegram',
    'VK',
    'MAX',
  ]);
});
