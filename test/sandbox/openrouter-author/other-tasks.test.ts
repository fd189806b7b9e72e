import { describe, expect, it } from 'vitest';
import { recordOf } from '../../../src/sandbox/openrouter/author/recorded-articles.ts';
import { writeAnswer } from '../../../src/sandbox/openrouter/author/write-answer.ts';
import { cliches, phrasesFound } from '../../../src/services/quality/cliches.ts';
import { containsPhrase, sentences, words } from '../../../src/services/quality/russian-text.ts';
import { validatePost } from '../../../src/services/quality/validate-content.ts';
import { ask, promptFor } from './asking.ts';

describe('a post of the sandbox', () => {
  const brief = {
    keyword: 'шиномонтаж',
    specialization: 'автосервис',
    text_style: 'Разговорный',
    words_min: 100,
    words_max: 300,
    company_phone: '+7 900 123-45-67',
    website_url: 'https://v.example',
    prices_excerpt: 'Смена шин R16 — 2400 руб',
  };

  it.each(['telegram', 'vk', 'max'] as const)(
    'for %s has its length, its markup and one call',
    async (platform) => {
      const { text, hashtags, pin_title } = await ask('social_post', { ...brief, platform });
      const plain = text.replace(/<[^>]+>/gu, '');
      expect(validatePost(platform, { text })).toEqual([]);
      expect(words(plain).length).toBeGreaterThanOrEqual(100);
      expect(words(plain).length).toBeLessThanOrEqual(300);
      expect(containsPhrase(sentences(plain)[0]!, 'шиномонтаж')).toBe(true);
      expect(plain).toContain('+7 900 123-45-67');
      expect(plain).not.toContain('v.example');
      expect(plain).toContain('2400 руб');
      expect(/<b>/u.test(text)).toBe(platform !== 'vk');
      expect(hashtags.length).toBe(platform === 'vk' ? 5 : 3);
      expect(pin_title).toBe('');
      expect(phrasesFound(plain, cliches)).toEqual([]);
    },
  );

  it('for pinterest fits a pin with its tags and has a title', async () => {
    const { text, hashtags, pin_title } = await ask('social_post', {
      ...brief,
      platform: 'pinterest',
      words_min: 30,
      words_max: 60,
    });
    expect(`${text}\n\n${hashtags.map((tag) => `#${tag}`).join(' ')}`.length).toBeLessThanOrEqual(500);
    expect(words(text).length).toBeGreaterThanOrEqual(30);
    expect(words(text).length).toBeLessThanOrEqual(60);
    expect(pin_title).toMatch(/^Шиномонтаж/u);
    expect(pin_title.length).toBeLessThanOrEqual(100);
    expect(text).not.toMatch(/<|https?:/u);
  });

  it('offers to write when nothing else is known', async () => {
    const { text } = await ask('social_post', {
      ...brief,
      platform: 'vk',
      company_phone: '',
      website_url: '',
    });
    expect(text).toMatch(/сообщения|комментариях/u);
  });

  it('promises a link on a pin only where there is a site', async () => {
    const pin = (website_url: string) =>
      ask('social_post', { ...brief, platform: 'pinterest', words_min: 30, words_max: 60, website_url });
    expect((await pin('https://v.example')).text).toMatch(/ссылк/u);
    expect((await pin('')).text).not.toMatch(/ссылк/u);
  });

  it('goes over to another platform with one call, also where no address is known', async () => {
    const nowhere = { ...brief, company_phone: '', website_url: '' };
    const original = await ask('social_post', { ...nowhere, platform: 'vk' });
    const { text } = await ask('cross_post', {
      ...nowhere,
      source_platform: 'vk',
      target_platform: 'telegram',
      original_text: original.text,
    });
    expect(text.match(/сообщения|комментариях/gu)).toHaveLength(1);
  });

  it.each(['telegram', 'vk', 'pinterest', 'max'] as const)(
    'goes over to %s without its old markup, tags and call',
    async (target_platform) => {
      const original = await ask('social_post', { ...brief, platform: 'telegram' });
      const { text } = await ask('cross_post', {
        ...brief,
        source_platform: 'telegram',
        target_platform,
        original_text: `${original.text}\n\n#старый #тег`,
        company_phone: '',
        social_link: 'https://t.me/vertikal',
        website_url: '',
      });
      expect(validatePost(target_platform, { text, title: 'Пин' })).toEqual([]);
      expect(text).not.toMatch(/#старый|\+7 900/u);
      expect(containsPhrase(sentences(text.replace(/<[^>]+>/gu, ''))[0]!, 'шиномонтаж')).toBe(true);
      if (target_platform === 'vk' || target_platform === 'pinterest') expect(text).not.toContain('<');
      if (target_platform !== 'pinterest') expect(text).toContain('https://t.me/vertikal');
    },
  );
});

describe('keywords of the sandbox', () => {
  const raw = [
    { phrase: 'кухни на заказ', volume: 900 },
    { phrase: 'кухни на заказ цена', volume: 400 },
    { phrase: 'угловые кухни на заказ', volume: 300 },
    { phrase: 'угловая кухня на заказ фото', volume: 100 },
    { phrase: 'купить кухню недорого', volume: 200 },
    { phrase: 'как выбрать фасад кухни', volume: 50 },
  ];
  const brief = { products: 'кухни на заказ, шкафы', geography: 'Казань', specialization: 'мебель' };

  it('come in clusters: every phrase in exactly one, the most wanted in front, suggestions marked', async () => {
    const { clusters } = await ask('keyword_clusters', {
      ...brief,
      raw_count: raw.length,
      raw_keywords_json: raw,
      extra_count: 3,
    });
    const given = clusters.flatMap(({ phrases }) => phrases).filter(({ ai_suggested }) => !ai_suggested);
    expect(given.map(({ phrase }) => phrase).sort()).toEqual(raw.map(({ phrase }) => phrase).sort());
    expect(
      clusters.flatMap(({ phrases }) => phrases).filter(({ ai_suggested }) => ai_suggested),
    ).toHaveLength(3);
    for (const { main_phrase, phrases, cluster_type } of clusters) {
      expect(phrases[0]!.phrase).toBe(main_phrase);
      expect(['article', 'product_page']).toContain(cluster_type);
    }
    const priced = clusters.find(({ phrases }) =>
      phrases.some(({ phrase }) => phrase === 'купить кухню недорого'),
    );
    expect(priced?.cluster_type).toBe('product_page');
  });

  it('never put more than twenty phrases into one cluster', async () => {
    const many = Array.from({ length: 90 }, (_, i) => ({ phrase: `кухня вариант ${i}`, volume: i }));
    const { clusters } = await ask('keyword_clusters', {
      ...brief,
      raw_count: 90,
      raw_keywords_json: many,
      extra_count: 14,
    });
    expect(Math.max(...clusters.map(({ phrases }) => phrases.length))).toBeLessThanOrEqual(20);
    expect(
      clusters.flatMap(({ phrases }) => phrases).filter(({ ai_suggested }) => !ai_suggested),
    ).toHaveLength(90);
  });

  it.each([20, 50, 200])('are exactly %i different ones when nothing was fetched', async (quantity) => {
    const { keywords } = await ask('keywords', { ...brief, quantity });
    expect(new Set(keywords.map(({ phrase }) => phrase)).size).toBe(quantity);
    const bought = keywords.filter(({ intent }) => intent === 'commercial').length;
    expect(bought / quantity).toBeCloseTo(0.5, 1);
    expect(keywords.some(({ phrase }) => phrase.includes('казань'))).toBe(true);
  });

  it('name no country as if it were a town', async () => {
    const { keywords } = await ask('keywords', { ...brief, geography: 'Россия', quantity: 50 });
    expect(keywords.some(({ phrase }) => phrase.includes('россия'))).toBe(false);
  });

  it('begin with three to five short seeds without the town', async () => {
    const { variants } = await ask('seed_normalize', { ...brief, products: 'премиальные кухни казань' });
    expect(variants.length).toBeGreaterThanOrEqual(3);
    expect(variants.length).toBeLessThanOrEqual(5);
    expect(variants[0]).toBe('кухни');
  });
});

describe('the rest of the sandbox author', () => {
  it.each([3, 5, 10])(
    'writes %i different samples of reviews, dated within half a year',
    async (quantity) => {
      const { reviews } = await ask('review', {
        quantity,
        current_date: '2026-11-16',
        specialization: 'мебель',
      });
      expect(reviews).toHaveLength(quantity);
      for (const field of ['author', 'date', 'text'] as const) {
        expect(new Set(reviews.map((review) => review[field])).size).toBe(quantity);
      }
      for (const { date, rating, cons } of reviews) {
        expect(date > '2026-05-15' && date < '2026-11-16').toBe(true);
        expect(rating === 5 || cons !== '').toBe(true);
      }
      const fives = reviews.filter(({ rating }) => rating === 5).length;
      expect(fives).toBe({ 3: 2, 5: 3, 10: 6 }[quantity]);
    },
  );

  it('plans an article: every secondary phrase in one section, real questions, the length in between', async () => {
    const secondary = ['окна цена', 'окна для дачи', 'монтаж окон', 'уход за окнами', 'окна зимой'];
    const plan = await ask('article_outline', {
      main_phrase: 'пластиковые окна',
      words_min: 1_500,
      words_max: 2_000,
      secondary_phrases: secondary.map((phrase) => `${phrase} (10/мес)`),
      asked_questions: ['сколько служат окна'],
    });
    const targeted = plan.sections.flatMap(({ target_phrases }) => target_phrases);
    for (const phrase of secondary) expect(targeted.filter((target) => target === phrase)).toHaveLength(1);
    expect(plan.faq_questions[0]).toBe('Сколько служат окна?');
    expect(plan.target_word_count).toBe(1_750);
    expect(plan.title.length).toBeLessThanOrEqual(80);
  });

  it('reports only facts with a source and a year, and no made-up number', async () => {
    const { facts, statistics } = await ask('article_research', {
      main_phrase: 'имплантация зубов',
      current_date: '2026-11-16',
      specialization: 'стоматология',
    });
    expect(facts.length).toBeGreaterThanOrEqual(3);
    for (const { source, year } of facts) expect(`${source} ${year}`).toMatch(/.+ \d{4}$/u);
    expect(statistics).toEqual([]);
  });

  it('does not miss what it has just praised a competitor for', async () => {
    const every = Object.values(recordOf('general').sections).map(({ headings }) =>
      headings[0]!.toLowerCase(),
    );
    const { strengths, content_gaps } = await ask('competitor_analysis', {
      competitor_data: `# Кухни мечты\n\nЧем выделяется: ${every.join('; ')}`,
      category_keywords: 'кухни на заказ',
    });
    expect(strengths.join()).toContain(every[0]);
    expect(content_gaps.filter((gap) => every.includes(gap.toLowerCase()))).toEqual([]);
  });

  it('tells what a competitor writes about and what it leaves out', async () => {
    const analysis = await ask('competitor_analysis', {
      competitor_data: '# Кухни мечты\n\n## Фасады из эмали\n\nТекст.\n\n"estimated_pages": 42',
      category_keywords: ['фасады из эмали', 'столешница из кварца'],
    });
    expect(analysis.key_topics).toEqual(['Кухни мечты', 'Фасады из эмали']);
    expect(analysis.content_gaps).toContain('столешница из кварца');
    expect(analysis.content_gaps).not.toContain('фасады из эмали');
    expect(analysis.pages_indexed).toBe(42);
    expect(analysis.recommendations.length).toBeGreaterThanOrEqual(3);
    expect(analysis.recommendations.length).toBeLessThanOrEqual(5);
  });

  it('directs one picture per section, in English, the first of them wide', async () => {
    const { images } = await ask('image_director', {
      article_title: 'Кухни',
      niche: 'furniture',
      image_count: 3,
      article_summary: 'О кухнях.',
      target_sections: [
        { index: 1, heading: 'Выбор', context: 'о выборе' },
        { index: 2, heading: 'Цена', context: 'о цене' },
      ],
    });
    expect(images.map(({ section_index }) => section_index)).toEqual([1, 2, 1]);
    expect(images[0]!.aspect_ratio).toBe('16:9');
    expect(new Set(images.map(({ prompt }) => prompt)).size).toBe(3);
    for (const { prompt } of images) expect(words(prompt).length).toBeGreaterThanOrEqual(40);
  });

  it('describes a section in 100 to 300 plain words', async () => {
    const text = writeAnswer({
      task: 'description',
      ...(await promptFor('description', {
        category_name: 'Кухни на заказ',
        specialization: 'мебель',
        advantages: 'Свой цех',
        city: 'Казань',
      })),
    });
    expect(text).toEqual(expect.any(String));
    expect(words(text as string).length).toBeGreaterThanOrEqual(100);
    expect(words(text as string).length).toBeLessThanOrEqual(300);
    expect(text).toContain('свой цех');
  });

  it('refuses a task it has never heard of', () => {
    expect(() => writeAnswer({ task: 'toString', system: '', user: '' })).toThrow('toString');
  });
});
