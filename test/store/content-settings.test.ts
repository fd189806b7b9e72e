import { expect, it } from 'vitest';
import { makeContentSettings } from '../../src/store/content-settings.ts';
import { aCategory, aProject, aUser } from '../support/rows.ts';
import { forEachDatabase } from '../support/stores.ts';

forEachDatabase((sql) => {
  it('keeps what is set for a category, and the blocks apart', async () => {
    const { settings, userId, categoryId } = await aShop();
    const set = (stored: Record<string, unknown>) => () => ({ stored });
    expect(await settings.change(userId, categoryId, null, 'text', set({ style: ['Женский'] }))).toBe('done');
    expect(await settings.change(userId, categoryId, null, 'image', set({ count: 3 }))).toBe('done');
    expect(await settings.read(userId, categoryId)).toMatchObject({
      own: { text: { style: ['Женский'] }, image: { count: 3 } },
      overrides: {},
    });
  });

  it('copies what a platform inherited at its first change, and changes its own afterwards', async () => {
    const { settings, userId, categoryId } = await aShop();
    const add = (more: Record<string, unknown>) => (stored: object) => ({ stored: { ...stored, ...more } });
    await settings.change(userId, categoryId, null, 'text', add({ style: ['Женский'], words_min: 1_500 }));
    await settings.change(userId, categoryId, 'vk', 'text', add({ words_min: 50 }));
    await settings.change(userId, categoryId, null, 'text', add({ style: ['Мужской'] }));
    await settings.change(userId, categoryId, 'vk', 'text', add({ words_max: 90 }));
    const stored = await settings.read(userId, categoryId);
    expect(stored?.overrides).toEqual({
      vk: { text: { style: ['Женский'], words_min: 50, words_max: 90 }, image: null },
    });
    expect(await settings.reset(userId, categoryId, 'vk')).toBe(true);
    expect((await settings.read(userId, categoryId))?.overrides).toEqual({});
    expect(await settings.reset(userId, categoryId, null)).toBe(true);
    expect((await settings.read(userId, categoryId))?.own).toEqual({ text: {}, image: {} });
  });

  it('loses no press of two that come at once', async () => {
    const { settings, userId, categoryId } = await aShop();
    const add = (key: string) => (stored: object) => ({ stored: { ...stored, [key]: 1 } });
    const keys = ['a', 'b', 'c', 'd'];
    await Promise.all(keys.map((key) => settings.change(userId, categoryId, 'max', 'image', add(key))));
    const stored = await settings.read(userId, categoryId);
    expect(Object.keys(stored?.overrides.max?.image ?? {}).sort()).toEqual(keys);
  });

  it('stores nothing for an edit that was refused, nor for a stranger', async () => {
    const { settings, userId, categoryId } = await aShop();
    expect(await settings.change(userId, categoryId, 'vk', 'text', () => 'full')).toBe('full');
    const stranger = await aUser(sql());
    expect(
      await settings.change(stranger, categoryId, null, 'text', () => ({ stored: { x: 1 } })),
    ).toBeNull();
    expect(await settings.reset(stranger, categoryId, null)).toBe(false);
    expect(await settings.reset(stranger, categoryId, 'vk')).toBe(false);
    expect(await settings.read(userId, categoryId)).toMatchObject({
      own: { text: {}, image: {} },
      overrides: {},
    });
  });

  async function aShop() {
    const userId = await aUser(sql());
    const projectId = await aProject(sql(), userId);
    const categoryId = await aCategory(sql(), projectId);
    return { userId, categoryId, settings: makeContentSettings(sql()) };
  }
});
