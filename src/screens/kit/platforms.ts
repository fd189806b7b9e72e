/** In the order in which they are offered. */
export const platforms = ['wordpress', 'telegram', 'vk', 'pinterest', 'max'] as const;
export type PlatformName = (typeof platforms)[number];

export const isPlatform = (name: string): name is PlatformName =>
  (platforms as readonly string[]).includes(name);

/** How they are called on screens. */
const platformNames: Record<PlatformName, string> = {
  wordpress: 'WordPress',
  telegram: 'Telegram',
  vk: 'VK',
  pinterest: 'Pinterest',
  max: 'MAX',
};

export const platformName = (platform: string): string =>
  isPlatform(platform) ? platformNames[platform] : platform;

const statusIcons: Record<string, string> = { active: '●', error: '⚠', disconnected: '○' };

export const statusIcon = (status: string): string => statusIcons[status] ?? '';
