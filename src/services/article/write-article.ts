import type { ArticleVerdict } from '../../../machines/fragments/article-ports.ts';
import type { ImageSettings, TextSettings } from '../../content-settings.ts';
import type { RunStage } from '../../engine/operations.ts';
import { AiFailed, ContentRefused } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { FinishInBackground } from '../../workers/content-desk.ts';
import type { ArticleAnswer, OutlineAnswer } from '../ai/answers.ts';
import type { Answer, AskModel } from '../ai/ask.ts';
import type { ArticlePhoto, CopyPhotos, ReadReferences } from '../pictures/copy-photos.ts';
import type { DrawnPictures, DrawPictures, StoredPicture } from '../pictures/draw-pictures.ts';
import { type Described, type ImageMeta, placePictures } from '../pictures/place-pictures.ts';
import { outlineSections } from '../pictures/plan-pictures.ts';
import type { Brief } from '../projects/brief.ts';
import { weightOf } from '../quality/check-facts.ts';
import type { Cluster } from '../quality/choose-cluster.ts';
import { detectNiche } from '../quality/niches.ts';
import { gate, type Judged, needsCritique, rewriteIsKept } from '../quality/score-article.ts';
import { articleLength } from './article-length.ts';
import { type ArticleNote, factNotes, notes } from './article-notes.ts';
import {
  articleVariables,
  critiqueVariables,
  type Material,
  outlineVariables,
  secondaryPhrases,
} from './article-variables.ts';
import { chooseQuestions } from './choose-questions.ts';
import { atWord, cleanAnswer, oneLine } from './clean-answer.ts';
import type { FinishedArticle, WrittenArticle } from './finish-article.ts';
import type { GatherSourcesInput, Sources } from './gather-sources.ts';
import { type SearchSnapshot, snapshotOf } from './search-snapshot.ts';

export type ArticleOrder = Brief & {
  projectId: number;
  mainPhrase: string;
  /** Null for a phrase of the old flat list. */
  cluster: Cluster | null;
  text: TextSettings;
  images: ImageSettings;
  colors: { text?: string; accent?: string; primary?: string; background?: string };
  /** Photos of the person's own, which stand in the article before the drawn pictures. */
  ownPhotos?: readonly ArticlePhoto[];
  /** Photos whose manner drawn pictures follow. */
  references?: readonly ArticlePhoto[];
  /** Pages of the own site, where they are known from its connection. */
  ownLinks?: GatherSourcesInput['ownLinks'];
  schemaType?: string;
  /** Published without review: better no article than one written blindly. */
  unattended?: boolean;
};

/** Work in progress: what is done is kept stage by stage, and reported as progress. */
export type ArticleRun = {
  userId: number;
  stage: RunStage;
  signal: AbortSignal;
  report: (stage: ArticleStage) => void;
};
export type ArticleStage = 'gathering' | 'writing' | 'images' | 'checking' | 'preview';

export type ArticleDraft = {
  title: string;
  seoTitle: string;
  metaDescription: string;
  html: string;
  words: number;
  sections: number;
  images: Described<StoredPicture>[];
  imagesWanted: number;
  /** How many of the images are the person's own photos. */
  ownPhotos: number;
  /** The text before its pictures are in it: what a change by words begins with. */
  answer?: ArticleAnswer;
  score: number;
  verdict: ArticleVerdict;
  notes: ArticleNote[];
  contentHash: string | null;
  /** What search showed, to tell later what has changed. */
  results?: SearchSnapshot;
  modelUsed: string;
  promptVersion: string;
  generationTimeMs: number;
};

export type WriteArticle = (order: ArticleOrder, run: ArticleRun) => Promise<ArticleDraft>;

/** A text and what became of it, before its pictures are in it. */
type Version = { answer: ArticleAnswer; page: FinishedArticle };

type Deps = {
  gatherSources: (input: GatherSourcesInput) => Promise<Sources>;
  ask: AskModel;
  drawPictures: DrawPictures;
  copyPhotos: CopyPhotos;
  readReferences: ReadReferences;
  finish: FinishInBackground;
  log: Log;
  clock?: () => Date;
};

export const SEO_TITLE_LENGTH = 60;
export const META_LENGTH = 160;
/** What a rewrite is told about a text that cannot go out as it is, by the fault. */
const repairs = {
  'not-russian': 'Статья написана не по-русски: напиши её по-русски целиком.',
  'model-talk':
    'В тексте есть обращение к заказчику, отказ, разметка или правила задания. Оставь только саму статью для читателя.',
} as const;

/**
 * Sources → outline → text beside pictures → critique when due → page. Whatever a model or the world was asked for is a
 * stage with its result kept, so a resumed run asks for none of it again; what lies between is computed anew.
 */
export function makeWriteArticle({
  gatherSources,
  ask,
  drawPictures,
  copyPhotos,
  readReferences,
  finish,
  log,
  clock = () => new Date(),
}: Deps): WriteArticle {
  return async (order, run) => {
    const { userId, stage, signal, report } = run;
    const { mainPhrase, company } = order;
    const began = await stage('began', async () => clock().toISOString());

    report('gathering');
    const sources = await stage('sources', () =>
      gatherSources({
        mainPhrase,
        company,
        projectId: order.projectId,
        userId,
        signal,
        ...(order.ownLinks && { ownLinks: order.ownLinks }),
      }),
    );
    if (order.unattended && sources.missing.includes('search') && sources.missing.includes('research'))
      throw new AiFailed('unavailable', 'neither search results nor research to write from');
    const questions = await stage('questions', async () =>
      chooseQuestions(sources.questions, angleOf(order)),
    );
    const words = articleLength(order.text.wordsChosen ? order.text.words : null, sources.competitorWords);
    const own = await stage('own_photos', async () =>
      order.ownPhotos?.length
        ? copyPhotos(order.ownPhotos, { userId, projectId: order.projectId, at: Date.parse(began) })
        : [],
    );
    const captions = own.map(({ ownCaption }) => ownCaption);
    const material: Material = { order, sources, questions, words, ownCaptions: captions };

    report('writing');
    const outline = await stage('outline', () => outlined(material, run));
    const { text, drawn } = await writtenAndDrawn(material, outline, began, run);

    report('checking');
    const page = (answer: ArticleAnswer, images: WrittenArticle['images'] = []) =>
      finish(toWritten(order, sources, answer, images, began), { signal });
    const answer = cleanAnswer(text.content, company);
    const draft: Version = { answer, page: await page(answer) };
    const isDue = needsCritique(draft.page.score) || repairsOf(draft.page).length > 0;
    const { answer: chosen, page: unpictured } = isDue
      ? await better(material, outline, draft, page, run)
      : draft;

    const placed = placePictures({
      title: chosen.title,
      markdown: chosen.content_markdown,
      meta: withOwnCaptions(chosen.images_meta, captions),
      pictures: [...own.map(({ ownCaption: _, ...photo }) => photo), ...drawn.pictures],
    });
    const final = await page({ ...chosen, content_markdown: placed.markdown }, placed.pictures);
    logTroubles(final, userId);
    refuseTheUnfit(final);

    return {
      title: oneLine(chosen.title),
      seoTitle: atWord(chosen.seo_title || chosen.title, SEO_TITLE_LENGTH),
      metaDescription: atWord(chosen.meta_description, META_LENGTH),
      html: final.html,
      words: final.words,
      sections: final.sections,
      images: placed.pictures,
      imagesWanted: own.length + order.images.count,
      ownPhotos: own.length,
      answer: chosen,
      score: final.score.total,
      verdict: {
        score: final.score.total,
        strengths: final.score.strengths,
        weaknesses: final.score.weaknesses,
      },
      notes: notesOf(sources, drawn, final),
      // Of the words alone: the addresses of pictures are new every time.
      contentHash: unpictured.contentHash,
      ...(sources.results && { results: snapshotOf(sources) }),
      modelUsed: text.modelUsed,
      promptVersion: text.promptVersion,
      generationTimeMs: clock().getTime() - Date.parse(began),
    };
  };

  /** An article can be written without one (E43). */
  async function outlined(material: Material, { userId, signal }: ArticleRun): Promise<OutlineAnswer | null> {
    try {
      const variables = outlineVariables(material);
      return (await ask('article_outline', { variables, userId, signal })).content;
    } catch (error) {
      signal.throwIfAborted();
      log.warn({ err: error, user: userId }, 'outline_skipped');
      return null;
    }
  }

  /** Side by side. Without a text the pictures are of no use (E35); without pictures the text still goes out (E34). */
  async function writtenAndDrawn(
    material: Material,
    outline: OutlineAnswer | null,
    began: string,
    { userId, stage, signal, report }: ArticleRun,
  ): Promise<{ text: Answer<ArticleAnswer>; drawn: DrawnPictures }> {
    const { order } = material;
    const noText = new AbortController();
    const isDrawn = order.images.count > 0 && order.references !== undefined;
    const references = isDrawn ? await readReferences(order.references!) : [];
    const drawing = drawPictures({
      subject: {
        contentType: 'article',
        platform: 'wordpress',
        keyword: order.mainPhrase,
        title: outline?.title ?? order.mainPhrase,
        companyName: order.company.name,
        specialization: order.company.specialization,
        niche: detectNiche(order.company.specialization).niche,
        settings: order.images,
        brand: order.colors,
        sections: outline ? outlineSections(outline) : [],
        suggestions: outline?.suggested_images ?? [],
      },
      userId,
      projectId: order.projectId,
      ...(references.length > 0 && { references }),
      stage,
      signal: AbortSignal.any([signal, noText.signal]),
    });
    drawing.catch(() => undefined); // awaited below; a rejection before that is not unhandled
    try {
      const variables = articleVariables(material, outline, began.slice(0, 10));
      const text = await stage('text', () => ask('article', { variables, userId, signal }));
      report('images');
      return { text, drawn: await drawing };
    } catch (error) {
      noText.abort(error);
      await drawing.catch(() => undefined); // nothing of this article goes on behind its back
      throw error;
    }
  }

  /** One rewrite by an editor no weaker than the writer, and the better of the two (E44). */
  async function better(
    material: Material,
    outline: OutlineAnswer | null,
    draft: Version,
    page: (answer: ArticleAnswer) => Promise<FinishedArticle>,
    { userId, stage, signal }: ArticleRun,
  ): Promise<Version> {
    const { score, warnings } = draft.page;
    const said = await stage('critique', async () => {
      try {
        const issues = [
          ...repairsOf(draft.page),
          ...score.advice,
          ...factNotes(warnings).map(({ text }) => text),
        ];
        const markdown = `# ${draft.answer.title}\n\n${draft.answer.content_markdown}`;
        const variables = critiqueVariables(material, outline, { markdown, issues });
        return (await ask('article_critique', { variables, userId, signal })).content;
      } catch (error) {
        signal.throwIfAborted();
        log.warn({ err: error, user: userId }, 'critique_skipped');
        return null;
      }
    });
    if (!said) return draft;
    const answer = cleanAnswer(said, material.order.company);
    const rewrite = { answer, page: await page(answer) };
    if (needsCritique(rewrite.page.score))
      log.info({ before: score.total, after: rewrite.page.score.total }, 'critique_did_not_improve');
    return rewriteIsKept(judged(draft.page), judged(rewrite.page)) ? rewrite : draft;
  }

  function logTroubles({ renderError, languageError, score }: FinishedArticle, user: number): void {
    if (renderError) log.warn({ user, reason: renderError }, 'markdown_parse_failed');
    if (languageError) log.warn({ user, reason: languageError }, 'nlp_scorer_fallback');
    log.info({ user, score: score.total, groups: score.groups }, 'article scored');
  }
}

/** What a person wrote under their photo stays where the model wrote nothing. */
const withOwnCaptions = (meta: readonly ImageMeta[], captions: readonly string[]): ImageMeta[] =>
  Array.from({ length: Math.max(meta.length, captions.length) }, (_, i) => {
    const given = meta[i] ?? { alt: '', filename: '', figcaption: '' };
    const caption = captions[i] ?? '';
    return { ...given, alt: given.alt || caption, figcaption: given.figcaption || caption };
  });

function repairsOf({ faults }: FinishedArticle): string[] {
  return faults.flatMap(({ code }) => (code in repairs ? [repairs[code as keyof typeof repairs]] : []));
}

const judged = (page: FinishedArticle): Judged => ({
  total: page.score.total,
  untrue: weightOf(page.warnings),
  isUnfit: repairsOf(page).length > 0,
});

/** Markup that could not be read has no structure to be judged by (E47). */
const structural: readonly string[] = ['no-sections', 'no-paragraph'];

export function refuseTheUnfit({ faults, score, renderError }: FinishedArticle): void {
  if (gate(score) === 'blocked') throw new ContentRefused(`scored ${score.total}`);
  const counted = renderError ? faults.filter(({ code }) => !structural.includes(code)) : faults;
  if (counted.length > 0) throw new ContentRefused(`not fit to publish: ${JSON.stringify(counted)}`);
}

const missingNotes = { search: [notes.noSearch], competitors: [notes.noCompetitors], research: [] } as const;

export function notesOf(sources: Sources, drawn: DrawnPictures, final: FinishedArticle): ArticleNote[] {
  const delivered = drawn.pictures.length;
  return [
    ...sources.missing.flatMap((what): readonly ArticleNote[] => missingNotes[what]),
    ...(drawn.failed > 0 ? [notes.picturesMissing(delivered, delivered + drawn.failed)] : []),
    ...(gate(final.score) === 'warned' ? [notes.lowQuality] : []),
    ...factNotes(final.warnings),
  ];
}

export function toWritten(
  order: ArticleOrder,
  sources: Sources,
  answer: ArticleAnswer,
  images: WrittenArticle['images'],
  datePublished: string,
): WrittenArticle {
  const { company, topic, colors } = order;
  const { text, accent, background } = colors;
  const phones = company.phone ? [company.phone] : [];
  const own = knownOf(order);
  return {
    title: answer.title,
    markdown: answer.content_markdown,
    images,
    places: {
      websiteUrl: company.websiteUrl,
      telegram: company.telegram,
      vk: company.vk,
      pinterest: company.pinterest,
      phones,
      mails: own.match(MAIL) ?? [],
      pages: sources.internalLinks.map(({ url }) => url),
      sources: sourcesOf(sources),
    },
    brand: { ...(text && { text }), ...(accent && { accent }), ...(background && { background }) },
    mainPhrase: order.mainPhrase,
    secondaryPhrases: secondaryPhrases(order),
    seoTitle: atWord(answer.seo_title || answer.title, SEO_TITLE_LENGTH),
    metaDescription: atWord(answer.meta_description, META_LENGTH),
    ...(sources.topic && { topic: sources.topic }),
    schemaType: order.schemaType ?? '',
    author: company.name,
    ...(company.author && { person: company.author }),
    publisher: company.name,
    datePublished,
    company: {
      specialization: company.specialization,
      prices: [topic.prices, topic.knows ?? ''].join('\n'),
      phones,
      known: [own, JSON.stringify(sources.research ?? ''), sources.competitorAnalysis].join('\n'),
    },
  };
}

const MAIL = /[\w.+-]+@(?:[\p{L}\d-]+\.)+\p{L}{2,}/gu;

/** What the customer has told of themselves. */
const knownOf = ({ company, topic }: ArticleOrder): string =>
  [...Object.values(company), topic.name, topic.description, topic.prices, topic.knows ?? ''].join('\n');

/** From which side this company speaks of its trade. */
export const angleOf = ({ company, topic }: ArticleOrder): string =>
  [company.advantages, company.experience, topic.name, topic.description, topic.knows ?? ''].join('\n');

/** Addresses among the sources of the research: pages that were read. */
const sourcesOf = ({ research }: Sources): string[] =>
  [...(research?.facts ?? []), ...(research?.statistics ?? [])]
    // What an earlier release has gathered has no address of its own.
    .flatMap(({ source, url }: { source: string; url?: string }) => [source, url ?? ''])
    .filter((address) => /^https?:\/\/\S+$/iu.test(address));
