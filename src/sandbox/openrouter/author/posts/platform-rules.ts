type PlatformRules = { html: boolean; hashtags: number; words: { min: number; max: number } };

const usual = { min: 100, max: 300 };
const rules: Readonly<Record<string, PlatformRules>> = {
  telegram: { html: true, hashtags: 3, words: usual },
  max: { html: true, hashtags: 3, words: usual },
  vk: { html: false, hashtags: 5, words: usual },
  pinterest: { html: false, hashtags: 2, words: { min: 30, max: 60 } },
};

/** An unknown house gets plain text: it is read everywhere. */
export const rulesOf = (platform: string): PlatformRules => rules[platform] ?? rules.vk!;
