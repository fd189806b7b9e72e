import type { Brief, Company } from '../../../src/services/projects/brief.ts';

/** The company of these tests. */
export const company: Company = {
  name: 'Флора',
  specialization: 'Букеты с доставкой',
  description: 'Собираем букеты в день заказа.',
  experience: '12 лет',
  advantages: 'Свои теплицы',
  city: 'Казань',
  phone: '+7 843 123-45-67',
  websiteUrl: 'https://flora.ru',
  telegram: '@flora',
  vk: 'vk.com/flora_kazan',
  pinterest: '',
};

export const brief: Brief = {
  company,
  topic: {
    name: 'Букеты',
    description: 'Букеты из своих теплиц',
    prices: 'Букет невесты — 5 000 ₽\nПионы, 15 шт — 3 500 руб.',
    reviews: [{ author: 'Анна', text: 'Пионы стояли неделю.' }],
  },
};
