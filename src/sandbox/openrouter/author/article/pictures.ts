import { slug } from '../../../../services/content/slug.ts';
import type { Phrase } from '../phrase.ts';
import type { ArticleBrief } from './brief.ts';
import { type Draft, isProse } from './draft.ts';

type ImageMeta = { alt: string; filename: string; figcaption: string };

const views: readonly (readonly [alt: string, caption: string])[] = [
  ['общий вид', 'Общий вид: к этому и стремимся'],
  ['детали крупным планом', 'Детали, по которым видно отношение к делу'],
  ['рабочий момент', 'Рабочий момент: порядок важнее скорости'],
  ['варианты рядом', 'Варианты проще сравнивать, когда они рядом'],
  ['готовый результат', 'Готовый результат в обычный день'],
  ['подготовка', 'Подготовка занимает больше, чем кажется'],
  ['пример решения', 'Один из примеров: просто и к месту'],
  ['вид сбоку', 'Другой угол зрения часто меняет мнение'],
  ['при дневном свете', 'При дневном свете видно всё, что важно'],
  ['последняя проверка', 'Последняя проверка перед приёмкой'],
];

/** Puts the pictures between the paragraphs of the sections, evenly and in order; tells what each shows. */
export function placePictures(
  { sections }: Draft,
  { images: count, ownPhotos }: Pick<ArticleBrief, 'images' | 'ownPhotos'>,
  phrase: Phrase,
): ImageMeta[] {
  const metas = Array.from({ length: count }, (_, i) => described(i, ownPhotos[i], phrase));
  let number = 0;
  sections.forEach(({ blocks }, i) => {
    const wanted = share(count, sections.length, i);
    const step = Math.max(1, Math.floor(blocks.length / (wanted + 1)));
    for (let n = 0; n < wanted; n += 1) {
      const { alt, figcaption } = metas[number]!;
      number += 1;
      const picture = `![${alt}]({{IMAGE_${number}}} "${figcaption}")`;
      blocks.splice(placeFor(blocks, step * (n + 1) + n), 0, picture);
    }
  });
  return metas;
}

/** After a paragraph: never right under a subheading or before a list that a sentence announces. */
function placeFor(blocks: readonly string[], wanted: number): number {
  const isPlace = (at: number) => isProse(blocks[at - 1] ?? '') && !blocks[at - 1]!.endsWith(':');
  let at = Math.min(wanted, blocks.length);
  while (at < blocks.length && !isPlace(at)) at += 1;
  return at;
}

/** Of a photo of the company's own nothing is invented: what its owner says of it is all there is. */
function described(i: number, own: string | undefined, { text, capital }: Phrase): ImageMeta {
  const [view, caption] = views[i % views.length]!;
  const isTold = own !== undefined && own !== 'подписи нет';
  return {
    alt: isTold ? `${own}: ${text}` : `${capital}: ${view}`,
    figcaption: isTold ? `${own}. Фото компании` : caption,
    filename: `${slug(text).slice(0, 40).replace(/-+$/u, '') || 'image'}-${slug(view)}-${i + 1}`,
  };
}

const share = (whole: number, parts: number, i: number): number =>
  Math.floor((whole * (i + 1)) / parts) - Math.floor((whole * i) / parts);
