import { expect, it } from 'vitest';
import { pageOf } from '../../../src/compose/content-settings.ts';
import { toHtml } from '../../../src/messengers/telegram/to-html.ts';
import type { Screen } from '../../../src/screens/kit/screen.ts';
import { categoryCardScreen } from '../../../src/screens/pages/categories.ts';
import { settingsScreen } from '../../../src/screens/pages/content-settings.ts';
import { platformMenuScreen } from '../../../src/screens/pages/publishing.ts';
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

it('a platform with settings of its own says so in the words of the specification, and can lose them', () => {
  const overrides = { max: { text: { style: ['С юмором'] }, image: null } };
  const settings = { ...category, platforms: [...category.platforms], overrides };
  const labelsOf = ({ keyboard }: Screen) => keyboard.flat().map(({ label }) => label);
  expect(labelsOf(settingsScreen(pageOf(settings, null)))).toContain('MAX (свои настройки)');
  const own = settingsScreen(pageOf(settings, 'max'));
  expect(toHtml(own.text)).toContain('<b>Текст</b> (свои настройки)\n');
  expect(labelsOf(own)).toContain('Сбросить к настройкам категории');
  const place = { categoryId: 3, categoryName: 'Букеты', projectId: 5, projectName: 'Ромашка' };
  const channel = { id: 1, platform: 'max', identifier: '-7', status: 'active' };
  const labels = (isApart: boolean) => labelsOf(platformMenuScreen(place, channel, null, isApart));
  expect(labels(true)).toContain('Настройки контента (свои настройки)');
  expect(labels(false)).toContain('Настройки контента');
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
