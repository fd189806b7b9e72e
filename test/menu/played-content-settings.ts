import { pageOf } from '../../src/compose/content-settings.ts';
import { inheritedBlock } from '../../src/content-options.ts';
import type { ContentSettingsData } from '../../src/menu/content-settings.ts';
import type { CategorySettings } from '../../src/store/content-settings.ts';

/** The true settings of a category in memory. */
export function playedContentSettings(
  isThere: (userId: number, categoryId: number) => boolean,
): ContentSettingsData {
  let stored: CategorySettings = {
    categoryId: 9,
    categoryName: 'Свадебные букеты',
    projectId: 5,
    platforms: ['wordpress', 'telegram', 'pinterest'],
    own: { text: { style: ['С юмором'] }, image: {} },
    overrides: { telegram: { text: { words_min: 50, words_max: 100 }, image: null } },
  };
  return {
    page: async (userId, categoryId, scope) => (isThere(userId, categoryId) ? pageOf(stored, scope) : null),
    async change(userId, categoryId, scope, block, edit) {
      if (!isThere(userId, categoryId)) return null;
      const own = stored.own[block];
      const before =
        scope === null ? own : (stored.overrides[scope]?.[block] ?? inheritedBlock(block, scope, own));
      const edited = edit(before);
      if (typeof edited === 'string') return edited;
      stored =
        scope === null
          ? { ...stored, own: { ...stored.own, [block]: edited.stored } }
          : {
              ...stored,
              overrides: {
                ...stored.overrides,
                [scope]: { text: null, image: null, ...stored.overrides[scope], [block]: edited.stored },
              },
            };
      return 'done';
    },
    reset: async (userId, categoryId) => isThere(userId, categoryId),
  };
}
