import sharp from 'sharp';
import { expect, it } from 'vitest';
import { drawWeekCard, weekCardSvg } from '../../../src/services/schedules/week-card.ts';

const day = (label: string, ...phrases: string[]) => ({
  label,
  isToday: label === 'ср',
  topics: phrases.map((phrase) => ({ time: '10:00', phrase })),
});
const days = [
  day('ср', 'кухни на заказ'),
  day('чт'),
  day('пт', 'a <b> & «c»', 'вторая', 'третья', 'четвёртая'),
  day('сб', 'оченьдлинноесловобезединогопробелавнём и ещё много слов которые не помещаются в четыре строки'),
  ...['вс', 'пн', 'вт'].map((label) => day(label)),
];

it('the week is drawn as a picture, whatever the phrases are', async () => {
  const picture = await sharp(await drawWeekCard({ title: 'План <недели> & «прочее»', days })).metadata();
  expect(picture).toMatchObject({ format: 'png', width: 1_400, height: 620 });
});

it('a day with too many publications says how many are left out', () => {
  expect(weekCardSvg({ title: '', days })).toContain('ещё 1');
});

it.each([
  'ремонт кухни своими руками',
  'шкафы жёлтые широкие щитовые шумоизоляционные',
  'МЕБЕЛЬ НА ЗАКАЗ ДЛЯ ЖИЛЫХ ПОМЕЩЕНИЙ',
  'wordpress management mammut www',
])('«%s» stays inside its box', async (phrase) => {
  const week = [day('ср', phrase), ...['чт', 'пт', 'сб', 'вс', 'пн', 'вт'].map((label) => day(label))];
  const picture = sharp(await drawWeekCard({ title: '', days: week }));
  // Between the box and the end of its column, which is white there.
  const beside = { left: 206, top: 170, width: 5, height: 110 };
  const { data } = await picture.extract(beside).greyscale().raw().toBuffer({ resolveWithObject: true });
  expect(Math.min(...data)).toBeGreaterThan(245);
});
