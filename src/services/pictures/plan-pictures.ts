import {
  type AspectRatio,
  aspectRatios,
  type ImageSettings,
  type PictureSize,
} from '../../content-settings.ts';
import { type Platform, platforms } from '../../platforms/platforms.ts';
import type { AnswerTo, OutlineAnswer } from '../ai/answers.ts';
import type { Variables } from '../ai/ask.ts';
import type { Niche } from '../quality/niches.ts';
import {
  angles,
  cameras,
  looks,
  negatives,
  qualityHints,
  styles,
  tones,
  usualViews,
} from './picture-words.ts';
import { spreadOverSections } from './spread-over-sections.ts';

/** What pictures are drawn from. Sections are the outline's: the text is being written at the same time. */
export type PictureSubject = {
  contentType: 'article' | 'social_post';
  platform: Platform;
  keyword: string;
  title: string;
  companyName: string;
  specialization: string;
  niche: Niche;
  settings: ImageSettings;
  brand: { primary?: string; accent?: string; background?: string };
  /** Empty: the keyword alone has to do. */
  sections: readonly PictureSection[];
  /** What the outline would show, picture by picture. */
  suggestions: readonly string[];
};

type PictureSection = { heading: string; context: string };
export type DirectorPlan = AnswerTo<'image_director'>;
export type PlannedPicture = { aspectRatio: AspectRatio; size: PictureSize; variables: Variables };

const MOST_CONTEXT_WORDS = 300;
const MOST_SUMMARY_WORDS = 500;
const DIRECTOR_FALLBACK: AspectRatio = '4:3';

export const outlineSections = ({ sections }: OutlineAnswer): PictureSection[] =>
  sections.map(({ h2, key_points }) => ({ heading: h2, context: key_points.join('. ') }));

/** One plan for each picture of the settings, in the order in which they will stand in the text. */
export function planPictures(
  subject: PictureSubject,
  director: DirectorPlan | null = null,
): PlannedPicture[] {
  const { settings, sections } = subject;
  const total = settings.count;
  const places = spreadOverSections(total, sections.length);
  // The director speaks of sections; pictures are numbered along the text.
  const directed = director?.images.toSorted((a, b) => a.section_index - b.section_index) ?? [];
  return Array.from({ length: total }, (_, i) => {
    const order = directed[i];
    const section = sections[places[i] ?? -1];
    return {
      aspectRatio: shapeOf(subject, i, order?.aspect_ratio),
      size: settings.size,
      variables: {
        ...lookOf(subject, i),
        ...(order && { variation_hint: collage(settings) }), // the director has seen to variety
        block_context: contextOf(section, subject.suggestions[i]),
        image_number: i + 1,
        total_images: total,
        director_prompt: order?.prompt ?? '',
        director_negative_prompt: negativesOf(settings, order?.negative_prompt),
      },
    };
  });
}

/** What the director is asked; null when there are no sections to direct. */
export function directorVariables(subject: PictureSubject): Variables | null {
  const { settings, sections, brand } = subject;
  if (settings.count === 0 || sections.length === 0) return null;
  const places = [...new Set(spreadOverSections(settings.count, sections.length))];
  return {
    company_name: subject.companyName,
    specialization: subject.specialization,
    article_title: subject.title,
    niche: subject.niche,
    image_count: settings.count,
    article_summary: firstWords(
      sections.map(({ heading, context }) => `${heading}. ${context}`).join('\n'),
      MOST_SUMMARY_WORDS,
    ),
    target_sections: places.map((index) => {
      const { heading, context } = sections[index]!;
      return { index, heading, context: firstWords(context, MOST_CONTEXT_WORDS) };
    }),
    brand_colors: [brand.primary, brand.accent, brand.background].filter(Boolean).join(', '),
    image_style: translated(settings.styles, styles).join(', '),
    camera: translated(settings.cameras, cameras).join(' '),
    angle: translated(settings.angles, angles).join(', '),
    quality: settings.quality,
    text_on_image: settings.textOnImage,
  };
}

function lookOf(subject: PictureSubject, i: number): Variables {
  const { settings, brand } = subject;
  const angle = inTurn(translated(settings.angles, angles), i);
  const camera = inTurn(translated(settings.cameras, cameras), i);
  const [hint] = translated([settings.quality], qualityHints);
  return {
    keyword: subject.keyword,
    content_type: platforms[subject.platform].content === 'pin' ? 'pin' : subject.contentType,
    company_name: subject.companyName,
    specialization: subject.specialization,
    style: translated(settings.styles, styles).join(', ') || styles.Фотореализм,
    tone: translated(settings.tones, tones).join(', ') || tones.Нейтральный,
    camera_instruction: [camera, hint && `${hint}.`].filter(Boolean).join(' '),
    angle_instruction: angle ? `Camera angle: ${angle}.` : '',
    text_on_image_instruction: lettering(settings),
    primary_color: brand.primary,
    accent_color: brand.accent,
    background_color: brand.background,
    niche_style: looks[subject.niche],
    variation_hint: [angle ?? inTurn(usualViews, i), collage(settings)].filter(Boolean).join('; '),
  };
}

const placesInArticle: readonly AspectRatio[] = ['16:9', '4:3', '4:3'];

function shapeOf(
  { platform, contentType, settings }: PictureSubject,
  i: number,
  directed?: string,
): AspectRatio {
  const { pictureShape } = platforms[platform];
  if (pictureShape !== null) return pictureShape;
  if (directed !== undefined) {
    return aspectRatios.find((known) => known === directed.trim()) ?? DIRECTOR_FALLBACK;
  }
  const usual = contentType === 'article' ? (placesInArticle[i] ?? '1:1') : '1:1';
  return inTurn(settings.formats, i) ?? usual;
}

function contextOf(section: PictureSection | undefined, suggestion: string | undefined): string {
  const wished = suggestion ? `Suggested picture: ${suggestion}.` : '';
  const context = [wished, section?.context].filter(Boolean).join('\n');
  return [section?.heading, firstWords(context, MOST_CONTEXT_WORDS)].filter(Boolean).join('\n');
}

/** What is unwanted, said by the director or else by us. Where lettering was asked for, it should be right, not gone. */
function negativesOf({ textOnImage }: ImageSettings, directed = ''): string {
  const usual = negatives.map((fault) =>
    fault === 'overlay text' && textOnImage > 0 ? 'misspelled text' : fault,
  );
  return directed.trim() || usual.join(', ');
}

/** Nothing said is no lettering at all. */
const lettering = ({ textOnImage }: ImageSettings): string =>
  textOnImage === 0 ? '' : `Short lettering in Russian may cover up to ${textOnImage}% of the picture.`;

const collage = ({ collage: share }: ImageSettings): string =>
  share === 0 ? '' : `collage of several shots filling about ${share}% of the picture`;

const inTurn = <Choice>(choices: readonly Choice[], i: number): Choice | undefined =>
  choices[i % choices.length];

/** A name that the table has lost is left out: the model would draw the word. */
const translated = (chosen: readonly string[], table: Readonly<Record<string, string>>): string[] =>
  chosen.flatMap((name) => (Object.hasOwn(table, name) ? table[name]! : []));

const firstWords = (text: string, most: number): string =>
  text
    .split(/(?<=\s)/u)
    .slice(0, most)
    .join('')
    .trim();
