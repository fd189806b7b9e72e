import type { Block, Scope, Stored } from '../content-options.ts';
import { imageSettings, textSettings } from '../content-settings.ts';
import type { ContentSettingsData } from '../menu/content-settings.ts';
import { articlePlatforms } from '../platforms/platforms.ts';
import type { SettingsPage } from '../screens/pages/content-settings.ts';
import { type CategorySettings, makeContentSettings } from '../store/content-settings.ts';
import type { Sql } from '../store/database.ts';

/** What people may set for texts and pictures. */
export function composeContentSettings(sql: Sql): ContentSettingsData {
  const store = makeContentSettings(sql);
  return {
    ...store,
    page: async (userId, categoryId, scope) => {
      const settings = await store.read(userId, categoryId);
      return settings && pageOf(settings, scope);
    },
  };
}

export function pageOf(settings: CategorySettings, scope: Scope): SettingsPage {
  const { categoryId, categoryName, projectId, own: category, overrides } = settings;
  const override = scope === null ? undefined : overrides[scope];
  const stored = (block: Block): Stored => override?.[block] ?? category[block];
  // The category's own settings are those of its articles.
  const platform = scope ?? articlePlatforms[0]!;
  const of = scope === null ? undefined : override;
  return {
    ...{ categoryId, categoryName, projectId, scope },
    stored: { text: stored('text'), image: stored('image') },
    effective: {
      text: textSettings(platform, category.text, of?.text ?? null),
      images: imageSettings(platform, category.image, of?.image ?? null),
    },
    own: { text: Boolean(override?.text), image: Boolean(override?.image) },
    platforms: settings.platforms.map((each) => ({
      platform: each,
      isOwn: Boolean(overrides[each]?.text ?? overrides[each]?.image),
    })),
  };
}
