import type { ProjectField } from '../../../machines/project-fields.ts';

type FieldText = { label: string; hint: string; example: string };

/** Why a name of the right length was not taken: phones put emoji everywhere. */
export const nameHint = 'Подойдут буквы, цифры и обычные знаки препинания, без эмодзи.';
export const addressHint = 'Достаточно имени сайта, например romashka.ru или мебель-казань.рф.';

/** How the fifteen facts about a business are named and asked for. */
export const projectFieldTexts: Record<ProjectField, FieldText> = {
  name: { label: 'Название', hint: `От 2 до 100 символов. ${nameHint}`, example: 'Цветы на Ленина' },
  company_name: { label: 'Компания', hint: 'От 2 до 200 символов.', example: 'ООО «Ромашка»' },
  specialization: {
    label: 'Специализация',
    hint: 'От 5 до 500 символов: чем занимается компания.',
    example: 'Доставка букетов и оформление свадеб',
  },
  website_url: { label: 'Сайт', hint: addressHint, example: 'https://romashka.ru' },
  company_city: { label: 'Город', hint: 'От 2 до 255 символов.', example: 'Казань' },
  company_address: { label: 'Адрес', hint: 'От 2 до 500 символов.', example: 'ул. Ленина, 12' },
  company_phone: {
    label: 'Телефон',
    hint: 'Один номер без добавочного: от 5 до 15 цифр, можно с + и скобками.',
    example: '+7 (843) 123-45-67',
  },
  company_email: { label: 'E-mail', hint: 'Почта для клиентов.', example: 'info@romashka.ru' },
  company_instagram: { label: 'Instagram', hint: 'Ссылка или имя аккаунта.', example: '@romashka' },
  company_vk: { label: 'ВКонтакте', hint: 'Ссылка на сообщество.', example: 'https://vk.com/romashka' },
  company_pinterest: { label: 'Pinterest', hint: 'Ссылка или имя аккаунта.', example: 'romashka' },
  company_telegram: { label: 'Telegram', hint: 'Канал или имя.', example: '@romashka' },
  experience: { label: 'Опыт', hint: 'От 2 до 500 символов.', example: '12 лет на рынке, 3 000 свадеб' },
  advantages: { label: 'Преимущества', hint: 'От 2 до 500 символов.', example: 'Доставка за 2 часа' },
  description: { label: 'Описание', hint: 'От 2 до 500 символов.', example: 'Семейная мастерская цветов' },
};
