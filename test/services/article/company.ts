import type { Company } from '../../../src/services/projects/brief.ts';

export const company: Company = {
  name: 'Кухни Плюс',
  specialization: 'мебель на заказ',
  description: 'Делаем кухни по размерам.',
  experience: '12 лет',
  advantages: 'замер бесплатно',
  city: 'Казань',
  phone: '+7 900 000-00-00',
  websiteUrl: 'https://kuhni-plus.example',
  telegram: '',
  vk: '',
  pinterest: '',
};
