/** How the platforms are called on screens. */
const platformNames: Record<string, string> = {
  wordpress: 'WordPress',
  telegram: 'Telegram',
  vk: 'VK',
  pinterest: 'Pinterest',
  max: 'MAX',
};

export const platformName = (platform: string): string => platformNames[platform] ?? platform;
