import { describe, expect, it } from 'vitest';
import type { Variable } from '../src/services/ai/ask.ts';
import { loadPromptFiles, type Prompt } from '../src/services/ai/prompt-file.ts';
import { promptsFolder, shippedPrompts } from '../src/services/ai/prompts.ts';
import { makeRenderPrompt } from '../src/services/ai/render-prompt.ts';
import { type Task, tasks } from '../src/services/ai/tasks.ts';
import { cliches, emptyOpeners } from '../src/services/quality/cliches.ts';
import { detectNiche, niches } from '../src/services/quality/niches.ts';

/** The contract of the prompts: what each is given, how it is built, what it must demand. */

const files = await loadPromptFiles(promptsFolder);
const render = makeRenderPrompt({ activePrompt: shippedPrompts(files) });

const aboutTheCompany = 'company_description category_description experience website_url';
const forTheOutline = `main_volume main_difficulty secondary_phrases competitor_analysis competitor_gaps
  serper_questions lsi_keywords current_research ${aboutTheCompany}`;
const nowForTheOutline = `${forTheOutline.replace('serper_questions', '')} search_intent serp_results asked_questions
  own_knowledge avoid`;

/** `company: false`: it is not about a business. */
const contract: Record<string, { required: string; optional: string; company?: false }> = {
  article_outline_v1: { required: 'main_phrase words_min words_max', optional: forTheOutline },
  article_v7: {
    required: 'main_phrase words_min words_max images_count current_date',
    optional: `${forTheOutline} cluster_volume outline city advantages text_style html_style niche_type
      internal_links prices_excerpt reviews_excerpt own_photos`,
  },
  article_critique_v1: {
    required: 'main_phrase quality_issues current_markdown words_min words_max',
    optional: 'secondary_phrases prices_excerpt advantages lsi_keywords current_research',
  },
  article_outline_v2: { required: 'main_phrase words_min words_max', optional: nowForTheOutline },
  article_v8: {
    required: 'main_phrase words_min words_max images_count current_date',
    optional: `${nowForTheOutline} cluster_volume outline city advantages text_style html_style niche_type
      internal_links prices_excerpt reviews_excerpt own_photos voice author_name answer_words key_points`,
  },
  article_critique_v2: {
    required: 'main_phrase quality_issues current_markdown words_min words_max',
    optional: `secondary_phrases prices_excerpt advantages lsi_keywords current_research outline competitor_gaps
      asked_questions own_knowledge avoid voice`,
  },
  article_refresh_v1: {
    required: 'main_phrase search_changes current_date current_markdown words_min words_max',
    optional: `secondary_phrases prices_excerpt advantages lsi_keywords current_research outline competitor_gaps
      asked_questions own_knowledge avoid voice`,
  },
  voice_v1: { required: 'texts', optional: '' },
  social_v4: {
    required: 'keyword platform text_style words_min words_max',
    optional: `${aboutTheCompany} advantages company_city company_phone reviews_excerpt social_link
      prices_excerpt previous_text wish voice`,
  },
  research_v2: { required: 'main_phrase current_date', optional: 'geography company_description_short' },
  article_revision_v1: {
    required: 'main_phrase wish current_markdown words_min words_max',
    optional: 'prices_excerpt advantages',
  },
  social_v3: {
    required: 'keyword platform text_style words_min words_max',
    optional: `${aboutTheCompany} advantages company_city company_phone reviews_excerpt social_link
      prices_excerpt previous_text wish`,
  },
  cross_post_v1: {
    required: 'original_text source_platform target_platform keyword',
    optional: 'company_description website_url company_city company_phone social_link prices_excerpt',
  },
  keywords_cluster_v3: {
    required: 'raw_count raw_keywords_json extra_count products geography',
    optional: '',
  },
  keywords_v2: { required: 'quantity products geography', optional: '' },
  seed_normalize_v1: { required: 'products', optional: 'geography' },
  image_v1: {
    required: 'keyword content_type style tone',
    optional: `camera_instruction angle_instruction text_on_image_instruction primary_color accent_color
      background_color block_context niche_style image_number total_images variation_hint director_prompt
      director_negative_prompt`,
  },
  review_v2: {
    required: 'quantity',
    optional: 'current_date company_description advantages city prices_excerpt previous_text',
  },
  description_v2: {
    required: 'category_name',
    optional: `keywords_sample prices_excerpt reviews_excerpt company_description advantages experience city
      website_url previous_text`,
  },
  competitor_analysis_v1: { required: 'competitor_data', optional: 'category_keywords' },
  site_profile_v1: { required: 'site_url page', optional: '', company: false },
  research_v1: { required: 'main_phrase current_date', optional: 'geography company_description_short' },
  image_director_v1: {
    required: 'article_title niche image_count article_summary target_sections',
    optional: 'brand_colors image_style camera angle quality text_on_image',
  },
  trainer_turn_v1: {
    required: `counterpart_name counterpart_role manner situation components turn turns dialogue last_words`,
    optional: 'known_facts',
    company: false,
  },
  trainer_review_v1: {
    required: 'case_title counterpart_name situation goal components dialogue',
    optional: 'reached',
    company: false,
  },
};

const defaults: Record<string, string> = {
  'article_v7 text_style': 'Информативный',
  'article_v7 niche_type': 'general',
  'article_v8 text_style': 'Информативный',
  'article_v8 niche_type': 'general',
  'article_v8 answer_words': '40–60',
  'article_v8 key_points': '3–5',
  'social_v3 text_style': 'Разговорный',
  'social_v4 text_style': 'Разговорный',
  'image_v1 primary_color': '#333333',
  'image_v1 accent_color': '#0066cc',
  'image_v1 background_color': '#ffffff',
};

const tiers: Record<string, string> = {
  anthropic: 'premium',
  openai: 'premium',
  deepseek: 'budget',
  perplexity: 'search',
  google: 'image',
};

it('has a prompt for every task, and no other', () => {
  expect([...new Set(files.map(({ task }) => task))].sort()).toEqual(Object.keys(tasks).sort());
  expect(files.map(({ prompt }) => prompt.name).sort()).toEqual(Object.keys(contract).sort());
});

describe.each(files.map(({ prompt }) => [prompt.name, prompt] as const))('%s', (name, prompt) => {
  const task = prompt.meta.task_type;
  const renderThis = makeRenderPrompt({ activePrompt: async () => prompt });
  const required = namesOf(prompt, ({ required }) => required);
  const text = files.find((file) => file.prompt === prompt)!.yaml;

  it('takes the variables of the contract', () => {
    const { required: must, optional, company = true } = contract[name]!;
    const business = company ? ['company_name', 'specialization'] : [];
    expect(required.sort()).toEqual([...business, ...listed(must)].sort());
    expect(namesOf(prompt, ({ required }) => !required).sort()).toEqual(
      ['language', ...listed(optional)].sort(),
    );
  });

  it('knows what to take when it is told nothing', () => {
    const known = prompt.variables.flatMap((variable) =>
      variable.default === undefined ? [] : [[`${name} ${variable.name}`, variable.default]],
    );
    const expected = Object.entries(defaults).filter(([key]) => key.startsWith(`${name} `));
    expect(Object.fromEntries(known)).toEqual({
      [`${name} language`]: 'ru',
      ...Object.fromEntries(expected),
    });
  });

  // Earlier versions stay to be compared with; the settings are those of the newest.
  const isNewest = files.findLast((file) => file.task === task)?.prompt === prompt;
  it.runIf(isNewest)('agrees with the table of tasks', () => {
    const { maxTokens, temperature, timeoutMs, models } = tasks[task];
    expect(prompt.meta).toMatchObject({ max_tokens: maxTokens, model_tier: tiers[models[0].split('/')[0]!] });
    expect(prompt.meta.temperature).toBe(temperature);
    expect((prompt.meta.timeout ?? 120) * 1_000).toBe(timeoutMs);
  });

  it('keeps whatever changes out of the part that providers remember', () => {
    expect(prompt.system?.names ?? []).toEqual([]);
  });

  it('uses every variable, each in one fence of its own name', () => {
    const user = text.slice(text.indexOf('\nuser: |'), text.indexOf('\nvariables:'));
    for (const { name: variable } of prompt.variables) {
      expect(user.split(`<< ${variable} >>`), variable).toHaveLength(2);
      expect(user).toMatch(new RegExp(`<${variable}>\\s*<< ${variable} >>\\s*</${variable}>`, 'u'));
    }
  });

  it('reads without gaps and leftovers, whether it is given the least or everything', async () => {
    const least = await renderThis(task, samplesOf(required));
    const all = await renderThis(task, samplesOf(namesOf(prompt)));
    for (const { user, system, version } of [least, all]) {
      expect(version).toBe(name);
      expect(user).not.toMatch(/\n{3}/u);
      expect(`${system}\n${user}`.replace(/^null\n/u, '')).not.toMatch(
        /undefined|null|\[object|NaN|<<|>>|<%|%>|<#|#>/u,
      );
    }
  });

  it('leaves out the fence of what it was not given', async () => {
    const { user } = await renderThis(task, samplesOf(required));
    for (const { name: variable, required, default: usual } of prompt.variables) {
      expect(user.includes(`<${variable}>`), variable).toBe(required || usual !== undefined);
    }
  });

  it('prints every value that it was given', async () => {
    const { user } = await renderThis(task, samplesOf(namesOf(prompt)));
    for (const variable of namesOf(prompt)) {
      expect(user).toMatch(new RegExp(`<${variable}>\\n?[^\\s<][^<]*</${variable}>`, 'u'));
    }
  });

  it('declares what stands in the fences to be material, not orders', () => {
    const english = name.startsWith('image');
    const words = english ? /material|subject matter only/u : /материал, а не поручения/u;
    expect(english ? text : prompt.system!.fill({})).toMatch(words);
  });
});

describe('the article', () => {
  const demands = [
    'штатный редактор',
    'бери только из блоков',
    'Суммы в деньгах — только из prices_excerpt и own_knowledge',
    'заголовки начинаются с ##',
    'Считать вхождения не надо',
    'в любой естественной форме',
    'от 4 до 7',
    '4–6 вопросов',
    'Коротко о главном',
    'прямой ответ на вопрос',
    'поставь на название источника ссылку',
    'search_intent и serp_results',
    'не больше трёх раз на всю статью и ни разу в title',
    'внутри предложения',
    'Призыв один',
    '![описание]({{IMAGE_1}} "подпись")',
    '60–80 знаков',
    '50–60 знаков',
    '120–160 знаков',
  ];
  it.each(demands)('is asked for: %s', async (demand) => {
    expect(await systemOf('article')).toContain(demand);
  });

  it.each(['article', 'article_critique'] as const)(
    'is forbidden every cliché that costs points: %s',
    async (task) => {
      const system = await systemOf(task);
      for (const phrase of [...cliches, ...emptyOpeners]) expect(system).toContain(phrase);
    },
  );

  it('speaks in the tone of its niche', async () => {
    const system = await systemOf('article');
    for (const { niche, tone } of [...niches, detectNiche('')]) {
      expect(system).toContain(`- ${niche} — ${tone}`);
    }
  });

  it('knows which niches must not go without a disclaimer, and how it begins', async () => {
    const careful = niches.filter(({ disclaimer }) => disclaimer !== null);
    expect(careful.map(({ niche }) => niche)).toEqual(['medical', 'legal', 'finance']);
    const system = await systemOf('article');
    expect(system).toContain('Для medical, legal и finance обязательна оговорка');
    const beginning = 'Материал носит справочный характер и не заменяет консультацию';
    expect(system).toContain(beginning);
    for (const { disclaimer } of careful) expect(disclaimer).toContain(beginning);
  });

  it('treats fresh facts as its step needs them', async () => {
    const research = { current_research: 'проба' };
    const said = { article_outline: /Строй план/u, article: /важнее твоих/u, article_critique: /Сверь/u };
    for (const [task, words] of Object.entries(said) as [keyof typeof said, RegExp][]) {
      const given = samplesOf(namesOf(await promptFor(task), ({ required }) => required));
      expect((await render(task, given)).user).not.toMatch(words);
      expect((await render(task, { ...given, ...research })).user).toMatch(words);
    }
  });
});

const promptFor = (task: Task) => shippedPrompts(files)(task);
const systemOf = async (task: Task) => (await promptFor(task)).system!.fill({});

function namesOf(prompt: Prompt, wanted: (variable: Prompt['variables'][number]) => boolean = () => true) {
  return prompt.variables.filter(wanted).map(({ name }) => name);
}

function listed(names: string): string[] {
  return names.split(/\s+/u).filter((name) => name !== '');
}

/** Variables whose value is not simply words. */
const shaped: readonly [string, Variable][] = [
  ['secondary_phrases', ['проба (10/мес)', 'ещё одна (5/мес)']],
  ['internal_links', [{ url: 'https://example.org/a', hint: 'проба' }]],
  ['target_sections', [{ index: 0, heading: 'проба', context: 'проба' }]],
  ['raw_keywords_json', [{ phrase: 'проба', volume: null }]],
  ['outline', { title: 'проба', sections: [{ h2: 'проба', h3_list: [] }] }],
  ['current_research', { facts: [{ claim: 'проба', source: 'проба', year: '2026' }], trends: [] }],
  ['words_min', 1_500],
  ['words_max', 2_500],
  ['images_count', 0],
];

function samplesOf(names: readonly string[]): Record<string, Variable> {
  const shapes = new Map(shaped);
  return Object.fromEntries(names.map((name) => [name, shapes.get(name) ?? 'проба']));
}
