import { describe, expect, it } from 'vitest';
import { toHtml } from '../../../src/messengers/telegram/to-html.ts';
import type { Screen } from '../../../src/screens/kit/screen.ts';
import {
  type Dashboard,
  dashboardScreen,
  greetingText,
  welcomeScreen,
} from '../../../src/screens/pages/dashboard.ts';
import { aDashboard } from '../../menu/played-menu.ts';

const textOf = (screen: Screen) => toHtml(screen.text).replaceAll('\u2009', ' ');
/** «Label» or «Label!style», row by row. */
const keysOf = ({ keyboard }: Screen) =>
  keyboard.map((row) => row.map(({ label, style }) => (style ? `${label}!${style}` : label)));
const viewer = { isAdmin: false, writes: true, readsSites: true };
const show = (changes: Partial<Dashboard>, isAdmin = false) =>
  dashboardScreen({ ...aDashboard, ...changes }, { ...viewer, isAdmin });

const rest = [['Проекты', 'Профиль'], ['Тарифы', 'Настройки'], ['Помощь']];

describe('the dashboard', () => {
  it('D1 offers a newcomer the bonus and what it makes', () => {
    const screen = welcomeScreen({ ...aDashboard, projects: 0 }, viewer);
    expect(textOf(screen)).toContain('ИИ пишет, вы проверяете, бот публикует.');
    expect(textOf(screen)).toContain('<b>1 500 токенов</b> — этого хватит примерно на 4 статьи');
    expect(keysOf(screen)).toEqual([['Написать статью!primary'], ['Опубликовать пост'], ...rest]);
  });

  it('D2 sums up: balance, projects, schedules, the last publication', () => {
    const lastPublication = { at: '2026-03-04T22:30:00Z', platform: 'vk', url: null };
    const text = textOf(show({ balance: 2_450, projects: 3, lastPublication }));
    expect(text).toContain('Баланс: <b>2 450 токенов</b> — примерно 7 статей');
    expect(text).toContain('Проекты: 3');
    expect(text).toContain('Активные расписания: 2');
    expect(text).toMatch(/Последняя публикация: 05\.03\.2026, \S+/);
    expect(textOf(show({}))).not.toContain('Последняя публикация');
    expect(textOf(show({ activeSchedules: 0 }))).not.toContain('расписания');
  });

  it('D3 says how little the first project takes', () => {
    const text = textOf(show({ projects: 0 }));
    expect(text).toContain('Баланс: <b>1 500 токенов</b>');
    expect(text).toContain('30 секунд');
  });

  it('D3 promises to read a site only where it can', () => {
    expect(textOf(show({ projects: 0 }))).toContain('пришлите адрес сайта');
    const screen = dashboardScreen({ ...aDashboard, projects: 0 }, { ...viewer, readsSites: false });
    expect(textOf(screen)).toContain('около 30 секунд: четыре коротких вопроса о компании.');
  });

  it('says that nothing is written where no models are connected, and to the owner what is missing', () => {
    const off = { ...viewer, writes: false };
    const toPeople = 'Тексты и картинки пока не создаются: владелец бота ещё не подключил нейросети.';
    expect(textOf(dashboardScreen(aDashboard, off))).toContain(toPeople);
    expect(textOf(welcomeScreen(aDashboard, off))).toContain(toPeople);
    expect(textOf(dashboardScreen(aDashboard, { ...off, isAdmin: true }))).toContain('OPENROUTER_API_KEY');
    expect(textOf(show({}))).not.toContain('не создаются');
  });

  it('D4 puts the top-up first when nothing is left', () => {
    const screen = show({ balance: 0 });
    expect(textOf(screen)).toContain('Токены закончились.');
    expect(keysOf(screen)).toEqual([
      ['Пополнить!primary'],
      ['Написать статью'],
      ['Опубликовать пост'],
      ...rest,
    ]);
  });

  it('D5 explains a debt', () => {
    const screen = show({ balance: -320 });
    expect(textOf(screen)).toContain('<b>−320 токенов</b>');
    expect(textOf(screen)).toContain('Долг возник из-за возвращённого платежа.');
    expect(keysOf(screen)[0]).toEqual(['Пополнить!primary']);
  });

  it('D6 tells what the rest is good for', () => {
    const screen = show({ balance: 319 });
    expect(textOf(screen)).toContain('На статью токенов не хватит, но хватит на 7 постов.');
    expect(keysOf(screen)).toEqual([
      ['Написать статью!primary'],
      ['Опубликовать пост'],
      ['Пополнить'],
      ...rest,
    ]);
    expect(textOf(show({ balance: 39 }))).toContain('На статью токенов не хватит.');
    expect(textOf(show({ balance: 320 }))).not.toContain('не хватит');
    expect(keysOf(show({ balance: 320 })).flat()).not.toContain('Пополнить');
  });

  it.each([-320, 0, 39])('promises no articles for a balance of %i', (balance) => {
    expect(textOf(show({ balance }))).not.toMatch(/примерно/);
  });

  it('puts posts first for a person with channels and no site', () => {
    const goals = (changes: Partial<Dashboard>) => keysOf(show(changes)).slice(0, 2).flat();
    expect(goals({ hasWordpress: false, hasSocial: true })).toEqual([
      'Опубликовать пост!primary',
      'Написать статью',
    ]);
    expect(goals({ hasWordpress: false, hasSocial: false })).toEqual([
      'Написать статью!primary',
      'Опубликовать пост',
    ]);
    expect(goals({ hasWordpress: true, hasSocial: true })).toEqual([
      'Написать статью!primary',
      'Опубликовать пост',
    ]);
  });

  it('shows the administrator one more door', () => {
    expect(keysOf(show({}, true)).at(-1)).toEqual(['Админка']);
    expect(keysOf(show({})).flat()).not.toContain('Админка');
  });

  it('greets by name, and also without one', () => {
    expect(toHtml(greetingText('<Анна>', true))).toMatch(/^Здравствуйте, &lt;Анна&gt;!/);
    expect(toHtml(greetingText(null, true))).toMatch(/^Здравствуйте!/);
    expect(toHtml(greetingText(null, false))).toMatch(/^С возвращением!/);
    expect(toHtml(greetingText('🌷', false))).toMatch(/^С возвращением, 🌷!/u);
  });

  it('is not turned around by a name, nor leaves a gap for one that cannot be seen', () => {
    expect(toHtml(greetingText('\u202eАнна', false))).toMatch(/^С возвращением, Анна!/);
    expect(toHtml(greetingText('\u200f \u200b', true))).toMatch(/^Здравствуйте!/);
  });
});
