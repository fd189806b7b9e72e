import { describe, expect, it } from 'vitest';
import { noAnswers } from '../../machines/fragments/project-questions.ts';
import { noWordPressYet } from '../../machines/fragments/wordpress-questions.ts';
import { type ProjectField, projectFieldRules } from '../../machines/project-fields.ts';
import { toHtml } from '../../src/messengers/telegram/to-html.ts';
import { flow as articlePublish } from '../../src/screens/flows/article-publish.ts';
import { flow as categoryCreate } from '../../src/screens/flows/category-create.ts';
import { flow as projectCreate } from '../../src/screens/flows/project-create.ts';
import { flow as projectEdit } from '../../src/screens/flows/project-edit.ts';
import { wordPressScreens } from '../../src/screens/fragments/wordpress-questions.ts';
import { projectFieldTexts } from '../../src/screens/kit/project-field-labels.ts';
import { isRedirect, type Redirect, type RichText, type Screen } from '../../src/screens/kit/screen.ts';
import { categoryCardScreen } from '../../src/screens/pages/categories.ts';
import { channelConnectedScreen, siteConnectedScreen } from '../../src/screens/pages/connections.ts';
import { platformMenuScreen, publishedScreen } from '../../src/screens/pages/publishing.ts';
import { aSite } from '../menu/played-connections.ts';
import { aCategory } from '../menu/played-menu.ts';

const words = (text: RichText | undefined) => toHtml(text ?? []);
const textOf = (answer: Screen | Redirect) => words(isRedirect(answer) ? answer.notice : answer.text);
const everything = () => true;
const labelsOf = ({ keyboard }: Screen) => keyboard.flat().map(({ label }) => label);

/** A screen shown in a context of which it reads only what is given. */
const shown = <Context>(screen: (context: Context) => Screen | Redirect, context: Partial<Context>) =>
  textWithComplaint(screen(context as Context));

const textWithComplaint = (screen: Screen | Redirect) =>
  [...('complaint' in screen && screen.complaint ? [toHtml(screen.complaint)] : []), textOf(screen)].join(
    '\n\n',
  );

describe('a person who is refused', () => {
  const refused = { misfit: 'wrong-format' as const, failure: null, answers: noAnswers };

  it('learns that a name takes no emoji, besides how long it may be', () => {
    for (const text of [
      shown(projectCreate.states.name, refused),
      shown(categoryCreate.states.name, refused),
    ]) {
      expect(text).toMatch(/^Введите название от 2 до 100 символов\nПодойдут буквы, .+ без эмодзи\./u);
    }
  });

  it('learns that the name of the site is enough', () => {
    expect(shown(projectCreate.states.website_url, refused)).toMatch(
      /^Введите корректный URL или нажмите Пропустить\nДостаточно имени сайта/u,
    );
  });
});

describe('a site that could not be connected', () => {
  const screens = wordPressScreens([]);
  const failed = (code: string, tried: string, ownSite: string | null, retryable = true) =>
    shown(screens.url, {
      ownSite,
      wordpress: { ...noWordPressYet, url: tried },
      failure: { code, userMessage: 'Сайт не отвечает.', retryable, refunded: 0 },
    });

  it('is named to a person who typed no address: it came from the project', () => {
    const text = failed('unreachable', 'romashka.ru', 'https://www.romashka.ru/');
    expect(text).toContain('попробовал адрес из проекта, romashka.ru');
    expect(text).toContain('Сайт не отвечает.');
    expect(text).toContain('Пришлите другой адрес');
    expect(text).not.toContain('Проверьте URL');
  });

  it('is to be checked by a person who typed its address', () => {
    expect(failed('unreachable', 'romashka.com', 'https://romashka.ru')).toMatch(
      /^Сайт недоступен\. Проверьте URL\nСайт не отвечает\.\n/u,
    );
    expect(failed('unreachable', 'romashka.com', null)).toContain('Проверьте URL');
  });
});

describe('a connected platform', () => {
  it.each([
    ['vk', 'Моё сообщество', 'VK · Моё сообщество — подключено к проекту «Ромашка».'],
    ['pinterest', 'Наши работы', 'Pinterest · Наши работы — подключено к проекту «Ромашка».'],
    ['telegram', 'Ромашка', 'Telegram · Ромашка — подключено к проекту «Ромашка».'],
  ])('is told of in words that fit any name: %s', (platform, name, sentence) => {
    expect(textOf(channelConnectedScreen({ ...aSite, platform, name })).replace(/<[^>]*>/gu, '')).toContain(
      sentence,
    );
  });

  it('is called a site where it is one', () => {
    expect(textOf(siteConnectedScreen(aSite))).toContain(
      'Сайт <b>romashka.ru</b> подключён к проекту «Ромашка».',
    );
  });
});

describe('what was done', () => {
  it('is called clearing where a field was cleared', () => {
    const saved = (value: string | null) =>
      shown(projectEdit.states.saved, { projectId: 5, field: 'company_email', value });
    expect(saved(null)).toBe('Поле «E-mail» очищено.');
    expect(saved('info@romashka.ru')).toBe('Поле «E-mail» сохранено.');
  });

  it('is an article, and with the last tokens spent "0 more" is not promised', () => {
    const result = {
      projectId: 2,
      categoryId: 3,
      connectionId: 4,
      id: 3,
      contentType: 'article',
      site: 'romashka.ru',
      keyword: 'букет невесты',
      url: null,
      words: 1,
      tokens: 290,
    };
    const left = (balance: number) =>
      textOf(
        publishedScreen(
          { ...result, balance, usualCost: 300, lacksSeoPlugin: false },
          { automation: null, hint: null },
        ),
      );
    expect(left(20)).toContain('На балансе 20 токенов, на статью уже не хватит');
    expect(left(301)).toContain('На балансе 301 токен — примерно 1 статья');
  });
});

describe('numbers', () => {
  it.each([
    [1, '(1 запрос в месяц)'],
    [22, '(22 запроса в месяц)'],
    [320, '(320 запросов в месяц)'],
  ])('of searches agree with their noun: %i', (volume, expected) => {
    const offer = { categoryName: 'Букеты', phrase: 'букет', volume, images: 0, balance: 0 };
    expect(shown(articlePublish.states.confirm_cost, { offer, failure: null } as object)).toContain(expected);
  });
});

describe('the next step', () => {
  it.each([
    ['without phrases is to find some', { phrases: 0, platforms: [] }, 'Подобрать фразы'],
    ['with phrases and no site is to connect one', { phrases: 50, platforms: [] }, 'Подключить сайт'],
    ['with phrases and a site is the article', { phrases: 50, platforms: ['wordpress'] }, 'Написать статью'],
  ])('of a category %s', (_, filled, label) => {
    expect(labelsOf(categoryCardScreen({ ...aCategory, ...filled }, everything))[0]).toBe(label);
  });

  it('beside an article that waits is that article', () => {
    const category = { categoryId: 3, categoryName: 'Букеты', projectId: 5, projectName: 'Ромашка' };
    const menu = (draft: { id: number; title: string } | null) =>
      labelsOf(platformMenuScreen(category, aSite, draft, false)).slice(0, 2);
    expect(menu({ id: 8, title: 'Как выбрать букет' })).toEqual(['Открыть черновик', 'Написать новую']);
    expect(menu(null)[0]).toBe('Написать статью');
  });

  it('behind a connected site is an article for it', () => {
    expect(labelsOf(siteConnectedScreen(aSite))[0]).toBe('Написать статью');
  });
});

it.each(Object.entries(projectFieldTexts))('a limit of %s is told with both its ends', (field, { hint }) => {
  const { min, max } = projectFieldRules[field as ProjectField];
  if (hint.includes('символов')) expect(hint).toContain(`От ${min} до ${max} символов`);
});
