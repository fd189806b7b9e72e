import type { ArticleAnswer } from '../../../src/services/ai/answers.ts';
import { faqSchema, jsonLdScript } from '../../../src/services/content/json-ld.ts';
import { renderArticle } from '../../../src/services/content/render-article.ts';
import { readHtml } from '../../../src/services/quality/read-html.ts';
import { sentences, words } from '../../../src/services/quality/russian-text.ts';
import { scoreArticle } from '../../../src/services/quality/score-article.ts';

const WORTH_COMPARING = 6;

/** An article as the product would render and judge it. */
export function judged(article: ArticleAnswer, mainPhrase: string, secondaryPhrases: readonly string[] = []) {
  const { html } = renderArticle({ title: article.title, markdown: article.content_markdown });
  const page = readHtml(html);
  const said = page.blocks.filter(({ heading }) => !heading).flatMap(({ text }) => sentences(text));
  const long = said.filter((sentence) => words(sentence).length >= WORTH_COMPARING);
  return {
    html,
    page,
    score: scoreArticle({
      html: html + jsonLdScript(faqSchema(article.faq_schema)),
      mainPhrase,
      secondaryPhrases,
      seoTitle: article.seo_title,
      metaDescription: article.meta_description,
    }),
    words: page.blocks.flatMap(({ text }) => words(text)).length,
    repeated: long.filter((sentence, i) => long.indexOf(sentence) !== i),
  };
}
