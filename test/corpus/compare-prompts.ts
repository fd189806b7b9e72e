import { readFileSync, writeFileSync } from 'node:fs';
import { writeAnswer } from '../../src/sandbox/openrouter/author/write-answer.ts';
import type { ArticleAnswer } from '../../src/services/ai/answers.ts';
import { parsePrompt } from '../../src/services/ai/prompt-file.ts';
import { makeRenderPrompt } from '../../src/services/ai/render-prompt.ts';
import type { Niche } from '../../src/services/quality/niches.ts';
import { words } from '../../src/services/quality/russian-text.ts';
import { scoreArticle } from '../../src/services/quality/score-article.ts';
import { toArticle, topicOf, topics } from './corpus.ts';

/** Ten topics by both versions of the prompt, scored; written to prompts.md beside this file (`tsx test/corpus/compare-prompts.ts`). */
const rows: string[] = [];
for (const [niche, [phrase = '']] of Object.entries(topics) as [Niche, readonly string[]][]) {
  const cells = await Promise.all(['article_v7', 'article_v8'].map((name) => judged(name, niche, phrase)));
  rows.push(`| ${phrase} | ${cells.flat().join(' | ')} |`);
}
writeFileSync(
  new URL('prompts.md', import.meta.url),
  `# Two versions of the article prompt

The same ten topics, the same material, both prompts, played by the stand-in of the models, which obeys what a request
asks for (key points, length of answers, cited sources, what only the owner knows). It shows what reaches the text, not how
well a model writes: with a key of OpenRouter the same script would have to be pointed at it.

| topic | v7: score | words | answers of 30–75 words | links | v8: score | words | answers of 30–75 words | links |
|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`,
);

async function judged(name: string, niche: Niche, phrase: string): Promise<(string | number)[]> {
  const yaml = readFileSync(new URL(`../../prompts/${name}.yaml`, import.meta.url), 'utf8');
  const render = makeRenderPrompt({ activePrompt: async () => parsePrompt(yaml, name) });
  const { questions } = topicOf(niche);
  const { user } = await render('article', {
    ...{ company_name: 'Вертикаль', specialization: phrase, main_phrase: phrase, niche_type: niche },
    ...{ words_min: 1_500, words_max: 2_000, images_count: 0, current_date: '2026-11-18' },
    ...{ website_url: 'https://vertikal.example', serper_questions: questions, asked_questions: questions },
    own_knowledge: 'За 2025 год у нас было 214 заказов и ни одной переделки за свой счёт клиента.',
    current_research: {
      facts: [
        {
          claim: 'Исполнитель обязан дать сведения об услуге до договора.',
          source: 'Закон о защите прав потребителей',
          url: 'https://www.consultant.ru/document/cons_doc_LAW_305/',
          year: '1992',
        },
      ],
    },
  });
  const answer = writeAnswer({ task: 'article', system: '', user }) as ArticleAnswer;
  const short = answer.faq_schema.filter(({ answer: said }) => {
    const { length } = words(said);
    return length >= 30 && length <= 75;
  });
  const links = answer.content_markdown.match(/\]\(https?:/gu)?.length ?? 0;
  const { total } = scoreArticle(toArticle(niche, phrase, answer));
  return [
    total,
    words(answer.content_markdown).length,
    `${short.length} of ${answer.faq_schema.length}`,
    links,
  ];
}
