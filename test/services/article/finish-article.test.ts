import createMarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { finishArticle, type WrittenArticle } from '../../../src/services/article/finish-article.ts';
import { readHtml, textOf } from '../../../src/services/quality/read-html.ts';
import { russian, words } from '../../../src/services/quality/russian-text.ts';
import { scoreArticle } from '../../../src/services/quality/score-article.ts';
import { fromSigned, isSimilar } from '../../../src/services/quality/simhash.ts';
import { writtenArticle } from '../../support/written-article.ts';
import { all, read } from '../content/dom.ts';

const article = writtenArticle(3, 1_600);
const finished = finishArticle(article);

describe('a finished article', () => {
  it('may go out as it is', () => {
    expect(finished.faults).toEqual([]);
    expect(finished).toMatchObject({ renderError: null, languageError: null });
    expect(finished.sections).toBe(readHtml(finished.html).h2.length);
  });

  it('needs a title', () => {
    expect(finishArticle({ ...article, title: ' ' }).faults).toEqual([{ code: 'h1-count', count: 0 }]);
  });

  it('is in the language of its readers', () => {
    const english = article.markdown.replace(/\p{Script=Cyrillic}+/gu, 'flower');
    expect(finishArticle({ ...article, markdown: english }).faults).toEqual([
      { code: 'not-russian', cyrillic: expect.any(Number) },
    ]);
  });

  it('carries its data for search engines, the questions among them', () => {
    const data = all(read(finished.html), 'script').map((script) => JSON.parse(script.textContent));
    expect(data).toMatchObject([
      { '@type': 'Article', headline: article.title, description: article.metaDescription },
    ]);
  });

  it('tells search engines the questions and answers that stand on the page, and no other', () => {
    const markdown = `${article.markdown}\n\n## Частые вопросы\n\n### Когда **заказывать** букет?\n\nЗа месяц до свадьбы.\n\nЛетом раньше.\n\n### Как хранить?\n\n- в воде\n- в прохладе\n\n## Итог\n\nЗаказывайте заранее.`;
    expect(faqData(markdown)).toEqual([
      { question: 'Когда заказывать букет?', answer: 'За месяц до свадьбы. Летом раньше.' },
      { question: 'Как хранить?', answer: 'в воде в прохладе' },
    ]);
    expect(
      faqData(`${article.markdown}\n\n## Вопросы и ответы\n\n**Когда заказывать?**\n\nЗа месяц.`),
    ).toEqual([{ question: 'Когда заказывать?', answer: 'За месяц.' }]);
  });

  it('does not count the disclaimer among the answers', () => {
    const company = { ...article.company, specialization: 'стоматология' };
    const markdown = `${article.markdown}\n\n## Частые вопросы\n\n### Больно ли?\n\nНет, под анестезией.`;
    expect(faqData(markdown, { company })).toEqual([
      { question: 'Больно ли?', answer: 'Нет, под анестезией.' },
    ]);
  });

  it('cannot be broken out of by an answer to a question', () => {
    const markdown = `${article.markdown}\n\n## Вопросы\n\n### Как?\n\n\`</script><img src=x onerror=alert(1)>\``;
    const page = read(finishArticle({ ...article, markdown }).html);
    expect(all(page, 'img[onerror]')).toEqual([]);
    expect(all(page, 'script')).toHaveLength(2);
  });

  it('is painted in the brand’s colours only where they can be read', () => {
    const markdown = `${article.markdown}\n\n- пункт со [ссылкой](#a)`;
    const painted = (brand: typeof article.brand) => finishArticle({ ...article, markdown, brand }).html;
    expect(painted({ text: '#333333', accent: '#66ccff' })).toMatch(/<li style="color:#333333">/u);
    expect(painted({ text: '#333333', accent: '#66ccff' })).not.toContain('#66ccff');
    expect(painted({ text: '#333333', accent: '#0055aa', background: '#222222' })).not.toContain('color:');
    expect(painted({ accent: '#0055aa' })).toMatch(/<a href="#a" style="color:#0055aa">/u);
  });

  it('links to nobody else’s telephone or mail, and to no page that does not exist', () => {
    const places = {
      ...{ websiteUrl: 'https://flora.example', telegram: '', vk: '', pinterest: '' },
      ...{ phones: ['+7 843 000-00-00'], mails: ['hi@flora.example'] },
      ...{ pages: ['https://flora.example/dostavka/'], sources: ['https://stat.example/2026'] },
    };
    const targets = [
      ...['tel:+78430000000', 'tel:+79991234567', 'mailto:hi@flora.example', 'mailto:a@evil.example'],
      ...['https://flora.example/dostavka?x=1', 'https://flora.example/vydumano', 'https://flora.example'],
      ...['https://stat.example/2026', 'https://evil.example'],
    ];
    const markdown = `${article.markdown}\n\n${targets.map((target) => `[слово](${target})`).join(', ')}`;
    const links = all(read(finishArticle({ ...article, markdown, places }).html), 'p a');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      'tel:+78430000000',
      'mailto:hi@flora.example',
      'https://flora.example/dostavka?x=1',
      'https://flora.example',
      'https://stat.example/2026',
    ]);
  });

  it.each([
    'Как языковая модель, я не могу давать юридических советов.',
    'Конечно! Вот статья по вашему запросу.',
    'К сожалению, я не могу написать этот текст.',
    '<script>alert(1)</script>',
    'Ты — штатный редактор сайта компании. Ты знаешь её дело изнутри, пишешь для человека, который выбирает.',
    'Надеюсь, эта статья вам поможет!',
  ])('does not go out with what a model says to its customer: %s', (said) => {
    const { faults } = finishArticle({ ...article, markdown: `${said}\n\n${article.markdown}` });
    expect(faults).toMatchObject([{ code: 'model-talk' }]);
  });

  it.each([
    'Конечно, вода выше нуля не замерзает, и цветы стоят дольше.',
    'Хорошо, если букет привезут утром: я не могу представить свадьбу без цветов.',
    'Вот статья расходов, о которой забывают: доставка.',
    'Модель вазы выбирают под интерьер.',
  ])('goes out with honest words: %s', (said) => {
    expect(finishArticle({ ...article, markdown: `${said}\n\n${article.markdown}` }).faults).toEqual([]);
  });

  it('goes out with the name of its company, even one that looks like markup, as the model repeats it', () => {
    const author = 'ООО «Флора» <script>alert(1)</script>';
    const markdown = `ООО Флора &lt;script>alert(1)&lt;/script> рядом.\n\n${article.markdown}`;
    expect(finishArticle({ ...article, markdown }).faults).toMatchObject([{ code: 'model-talk' }]);
    expect(finishArticle({ ...article, author, markdown }).faults).toEqual([]);
    const more = markdown.replace('рядом', 'рядом, &lt;iframe src=x>');
    expect(finishArticle({ ...article, author, markdown: more }).faults).toEqual([
      { code: 'model-talk', found: '<iframe' },
    ]);
  });

  it('gets the score that its HTML gets when it is read back', () => {
    const score = scoreArticle({ ...article, html: finished.html });
    expect(finished.score).toMatchObject({
      total: score.total,
      groups: score.groups,
      advice: score.failed,
      languageFailed: false,
    });
  });

  it('is as long as its text, without contents and data', () => {
    expect(finished.words).toBe(words(textOf(readHtml(finished.html))).length);
  });

  it('is the same after a journey as JSON', () => {
    expect(JSON.parse(JSON.stringify(finished))).toEqual(finished);
  });

  it('is known again when a few words were changed (E46)', () => {
    const again = finishArticle({ ...article, markdown: `${article.markdown}\n\nЖдём вас в субботу.` });
    const other = finishArticle(writtenArticle(3, 30));
    const hashes = [finished, again, other].map(({ contentHash }) => fromSigned(contentHash!));
    expect(isSimilar(hashes[0]!, hashes[1]!)).toBe(true);
    expect(isSimilar(hashes[0]!, hashes[2]!)).toBe(false);
  });

  it('tells of a price that the company does not list (E48)', () => {
    const markdown = `${article.markdown}\n\nБант стоит 777 рублей.`;
    const company = { ...article.company, prices: 'Букет — 5 000 ₽' };
    expect(finishArticle({ ...article, markdown, company }).warnings).toContainEqual({
      code: 'price-not-listed',
      value: '777 руб',
      rubles: 777,
    });
  });
});

describe('a draft whose pictures are still to be drawn', () => {
  const pictures = [1, 2, 3].map((n) => `![Букет ${n}]({{IMAGE_${n}}} "Снимок ${n}")`);
  const text = {
    ...writtenArticle(3, 1_600),
    markdown: '## Розы\n\nБелые розы любят все невесты без исключения.',
  };
  const withPictures = (images: string[]) => ({
    ...text,
    markdown: [text.markdown, ...images].join('\n\n'),
  });
  const draft = finishArticle(withPictures(pictures));
  const drawn = pictures.map((picture) =>
    picture.replace(/\{\{IMAGE_(\d)\}\}/u, 'https://cdn.example/$1.webp'),
  );

  it('scores as it will when they are there', () => {
    expect(draft.score).toEqual(finishArticle(withPictures(drawn)).score);
  });

  it('cannot go out before', () => {
    expect(draft.html).toContain('<img src="{{IMAGE_1}}" alt="Букет 1">');
    expect(draft.faults).toContainEqual({ code: 'placeholder', found: '{{IMAGE_1}}' });
    expect(finishArticle(withPictures(drawn)).faults.map(({ code }) => code)).not.toContain('placeholder');
  });
});

describe('a text on money, law or health', () => {
  const medical = { ...article, company: { ...article.company, specialization: 'Стоматология' } };
  const disclaimer = 'Материал носит справочный характер и не заменяет консультацию врача.';

  it('gets the disclaimer that its writer forgot, and no worse score for it', () => {
    const { html, score } = finishArticle(medical);
    expect(readHtml(html).paragraphs.at(-1)).toContain(disclaimer);
    expect(score.groups.topic).toBe(finished.score.groups.topic);
  });

  it('gets no second one', () => {
    const markdown = `${article.markdown}\n\nСтатья не заменяет консультацию врача.`;
    expect(finishArticle({ ...medical, markdown }).html).not.toContain(disclaimer);
  });

  it('is the only one to get it', () => {
    expect(finished.html).not.toContain('справочный характер');
  });
});

describe('when a part of it breaks', () => {
  it('E47: shows the text as it was written, and says why', () => {
    const markdownIt = createMarkdownIt();
    markdownIt.parse = () => {
      throw new Error('no such markup');
    };
    const { html, renderError } = finishArticle(
      { ...article, markdown: 'Розы **и** <b>пионы' },
      { markdownIt },
    );
    expect(html).toContain('<pre>Розы **и** &lt;b&gt;пионы</pre>');
    expect(renderError).toContain('no such markup');
  });

  it('E45: counts what can be counted without the language, and says why', () => {
    const stem = () => {
      throw new Error('no such stem');
    };
    const lame = finishArticle(article, { language: { ...russian, stem } });
    expect(lame.score).toMatchObject({ languageFailed: true, groups: { text: 0 } });
    expect(lame.words).toBeGreaterThan(1_500);
    expect(lame.contentHash).toBeNull();
    expect(lame.languageError).toContain('no such stem');
  });
});

/** The questions of the data for search engines. */
function faqData(markdown: string, more: Partial<WrittenArticle> = {}) {
  const [, script] = all(read(finishArticle({ ...article, ...more, markdown }).html), 'script');
  const { mainEntity } = JSON.parse(script!.textContent) as {
    mainEntity: { name: string; acceptedAnswer: { text: string } }[];
  };
  return mainEntity.map(({ name, acceptedAnswer }) => ({ question: name, answer: acceptedAnswer.text }));
}
