import {
  type CardField,
  cardFields,
  type SiteCard,
  type SiteSlice,
} from '../../../machines/fragments/project-from-site.ts';
import { plural } from '../../russian.ts';
import { press, tick } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { projectFieldTexts } from '../kit/project-field-labels.ts';
import { type Button, button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';

type Show = (slice: SiteSlice) => Screen;

/** A business read from its own site: the wait, the card, one line of it being corrected. */
export function siteScreens(ways: readonly Button[]): Record<'reading' | 'card' | 'field', Show> {
  return {
    reading: readingScreen,
    card: (slice) => cardScreen(slice, ways),
    field: (slice) => fieldScreen(slice, ways),
  };
}

const hostOf = (url: string | null): string =>
  url?.replace(/^https?:\/\/(www\.)?/u, '').replace(/\/$/u, '') ?? '';

const readingScreen: Show = ({ answers }) => ({
  text: paragraphs(
    rich`<b>Читаю ${hostOf(answers.websiteUrl)}</b>`,
    rich`Смотрю, чем занимается компания, где она и о чём ей писать. Обычно это до минуты.`,
  ),
  keyboard: [],
});

function cardScreen({ answers, siteCard, failure }: SiteSlice, ways: readonly Button[]): Screen {
  const card = siteCard!;
  return {
    text: paragraphs(
      failure && rich`⚠ ${failure.userMessage ?? 'Не получилось сохранить.'}`,
      rich`<b>Вот что я прочитал на ${hostOf(answers.websiteUrl)}</b>`,
      lines(
        rich`Название: ${answers.name}`,
        rich`Компания: ${answers.companyName}`,
        rich`Чем занимается: ${answers.specialization}`,
        rich`Город: ${card.city ?? 'не указан'}`,
        rich`Телефон: ${card.phone ?? 'не указан'}`,
        card.accent !== null && rich`Цвета: взял с сайта, главный ${card.accent}`,
      ),
      lines(rich`О чём писать:`, ...card.topics.map(topicLine)),
      card.isForeign && rich`Сайт не на русском: я перевёл. Статьи будут на русском.`,
      rich`Всё верно — сохраните. Неверное поправьте: нажмите на нужную строку.`,
    ),
    keyboard: [
      [button('Сохранить', to('card:save'), 'success')],
      ...pairs(cardFields.map((field) => button(labels[field], to('card:field:{field}', { field })))),
      ...card.topics.map(({ name, kept }, i) => [
        button(`${kept ? '✓' : '—'} ${name}`, to('card:topic:{i}:{k}', { i, k: kept ? 0 : 1 })),
      ]),
      [button('Заполню сам', to('card:decline'))],
      ways,
    ],
  };
}

const topicLine = ({ name, phrases, kept }: SiteCard['topics'][number]): RichText =>
  kept
    ? rich`✓ ${name} — ${plural(phrases, 'фраза', 'фразы', 'фраз')}`
    : rich`— ${name}: не нужна, вернуть можно кнопкой`;

const labels: Record<CardField, string> = {
  name: 'Название',
  company_name: 'Компания',
  specialization: 'Чем занимается',
  company_city: 'Город',
  company_phone: 'Телефон',
};

const pairs = (buttons: readonly Button[]): Button[][] =>
  buttons.flatMap((_, i) => (i % 2 === 0 ? [buttons.slice(i, i + 2)] : []));

function fieldScreen({ answers, siteCard, cardField, misfit }: SiteSlice, ways: readonly Button[]): Screen {
  const field = cardField!;
  const { hint, example } = projectFieldTexts[field];
  const now = {
    name: answers.name,
    company_name: answers.companyName,
    specialization: answers.specialization,
    company_city: siteCard!.city,
    company_phone: siteCard!.phone,
  }[field];
  const isOptional = field === 'company_city' || field === 'company_phone';
  return {
    ...(misfit && { complaint: rich`Так не подойдёт. ${hint}` }),
    text: paragraphs(
      rich`<b>${labels[field]}</b>`,
      now !== null && rich`Сейчас: ${now}`,
      lines(rich`Напишите, как правильно.`, rich`<i>Например: ${example}</i>`),
    ),
    keyboard: [
      ...(isOptional && now !== null ? [[button('Убрать', to('card:clear'))]] : []),
      [button('Оставить как есть', to('card:back'))],
      ways,
    ],
  };
}

const isCardField = (field: string): field is CardField => (cardFields as readonly string[]).includes(field);

export const sitePresses = [
  press('card:save', () => ({ type: 'card.saved' }) as const),
  press(
    'card:field:{field}',
    ({ field }) => ({ type: 'card.field_opened', field: isCardField(field) ? field : 'name' }) as const,
  ),
  press('card:clear', () => ({ type: 'card.field_cleared' }) as const),
  press('card:back', () => ({ type: 'card.resumed' }) as const),
  press('card:decline', () => ({ type: 'card.declined' }) as const),
  press('card:read', () => ({ type: 'reading.retried' }) as const),
  tick('card:topic:{i}:{k}', ({ i, k }) => ({ type: 'card.topic_set', index: i, kept: k === 1 }) as const),
];
