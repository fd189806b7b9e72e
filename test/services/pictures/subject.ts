import { imageSettings } from '../../../src/content-settings.ts';
import type { PictureSubject } from '../../../src/services/pictures/plan-pictures.ts';

/** An article about kitchens with an untouched category. */
export const subjectOf = (change: Partial<PictureSubject> = {}): PictureSubject => ({
  contentType: 'article',
  platform: 'wordpress',
  keyword: 'кухня на заказ',
  title: 'Кухня на заказ: как выбрать',
  companyName: 'Мебель Плюс',
  specialization: 'кухни на заказ',
  niche: 'furniture',
  settings: imageSettings('wordpress', {}, null),
  brand: { accent: '#0066cc' },
  sections: sectionsOf(6),
  suggestions: [],
  ...change,
});

export const sectionsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ heading: `Раздел ${i + 1}`, context: `О разделе ${i + 1}` }));

/** Settings as they are stored, for a platform. */
export const settingsOf = (stored: object, platform: PictureSubject['platform'] = 'wordpress') =>
  imageSettings(platform, stored, null);
