import { describe, expect, it } from 'vitest';
import { foreignAddresses, ownLink, socialLink } from '../../../src/services/posts/company-links.ts';
import { company } from './flower-shop.ts';

describe('a link of the company', () => {
  const own = ownLink(company);

  it.each([
    ['https://flora.ru/buy?x=1', 'https://flora.ru/buy?x=1'],
    ['http://www.flora.ru', 'http://www.flora.ru'],
    ['flora.ru/buy', 'https://flora.ru/buy'],
    ['https://shop.flora.ru', 'https://shop.flora.ru'],
    ['https://t.me/flora/15', 'https://t.me/flora/15'],
    ['https://vk.com/Flora_Kazan', 'https://vk.com/Flora_Kazan'],
  ])('is %s', (href, address) => {
    expect(own(href)).toBe(address);
  });

  it.each([
    'https://rival.ru',
    'https://notflora.ru',
    'https://flora.ru.rival.ru',
    'https://flora.ru@rival.ru',
    'https://t.me/flora_rival',
    'https://t.me',
    'javascript:alert(1)',
    'tg://resolve?domain=flora',
    '',
    'https://',
  ])('is not %j', (href) => {
    expect(own(href)).toBeNull();
  });

  it('stays in the letters in which people know it', () => {
    const cyrillic = ownLink({ ...company, websiteUrl: 'флора.рф' });
    expect(cyrillic('https://флора.рф/букеты')).toBe('https://флора.рф/букеты');
  });

  it('is one page of a shared site when the company has no site of its own', () => {
    const page = ownLink({ ...company, websiteUrl: 'https://vk.com/market-flora', vk: '' });
    expect(page('https://vk.com/market-flora?w=1')).not.toBeNull();
    expect(page('https://vk.com/rival')).toBeNull();
  });
});

describe('the page of the company on a platform', () => {
  it.each([
    ['@flora', 'https://t.me/flora'],
    ['flora', 'https://t.me/flora'],
    ['t.me/flora', 'https://t.me/flora'],
    ['https://t.me/flora', 'https://t.me/flora'],
    ['', ''],
  ])('given as %j is %j', (telegram, link) => {
    expect(socialLink('telegram', { ...company, telegram })).toBe(link);
  });
});

it('addresses of others are found in a text, without the point behind them', () => {
  const text = 'Смотрите https://rival.ru/a, https://flora.ru/b и (https://t.me/rival).';
  expect(foreignAddresses(text, company)).toEqual(['https://rival.ru/a', 'https://t.me/rival']);
});
