import { slug } from '../../../../services/content/slug.ts';
import type { Phrase } from '../phrase.ts';
import type { SectionKind } from '../recorded-articles.ts';
import type { ArticleBrief } from './brief.ts';
import { type Draft, isProse, type Section } from './draft.ts';
import { uncapitalised } from './plan-sections.ts';

type ImageMeta = { alt: string; filename: string; figcaption: string };

const captions: Readonly<Record<SectionKind, readonly string[]>> = {
  choose: ['Выбирать проще, когда вопросы записаны заранее', 'Сначала главное, потом цвет и мелочи'],
  compare: ['Варианты проще сравнивать, когда они рядом', 'Разница видна, если знать, куда смотреть'],
  price: ['Смета по строкам говорит больше, чем итог', 'Сравнивайте то, что входит, а не сумму'],
  order: ['Порядок важнее скорости', 'Подготовка занимает больше, чем кажется'],
  mistakes: ['Мелочь, которую легко упустить', 'Проверить стоит до оплаты, а не после'],
  care: ['Результат в обычный день', 'Несколько минут ухода продлевают срок службы'],
  contract: ['Договорённости лучше записать', 'Пять строк, которые берегут нервы'],
  timing: ['Даты этапов надёжнее одной даты в конце', 'Запас времени спасает от спешки'],
};

/** Puts the pictures between the paragraphs of the sections, evenly and in order; tells what each shows. */
export function placePictures(
  { sections }: Draft,
  { images: count, ownPhotos }: Pick<ArticleBrief, 'images' | 'ownPhotos'>,
  phrase: Phrase,
): ImageMeta[] {
  const metas: ImageMeta[] = [];
  sections.forEach((section, i) => {
    const { blocks } = section;
    const wanted = share(count, sections.length, i);
    const step = Math.max(1, Math.floor(blocks.length / (wanted + 1)));
    for (let n = 0; n < wanted; n += 1) {
      const meta = described(metas.length, n, section, ownPhotos[metas.length], phrase);
      metas.push(meta);
      const picture = `![${meta.alt}]({{IMAGE_${metas.length}}} "${meta.figcaption}")`;
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

/**
 * What a picture shows is what its section is about. Of a photo of the company's own nothing is invented: what its owner
 * says of it is all there is.
 */
function described(
  i: number,
  nth: number,
  { kind, heading }: Section,
  own: string | undefined,
  { text, capital }: Phrase,
): ImageMeta {
  const matter = heading.startsWith(`${capital}: `) ? heading.slice(capital.length + 2) : heading;
  const isTold = own !== undefined && own !== 'подписи нет';
  const names = captions[kind];
  return {
    alt: isTold ? `${own}: ${text}` : `${capital}: ${uncapitalised(matter.replace(': ', ' — '))}`,
    figcaption: isTold ? `${own}. Фото компании` : names[nth % names.length]!,
    filename: `${slug(text).slice(0, 40).replace(/-+$/u, '') || 'image'}-${kind}-${i + 1}`,
  };
}

const share = (whole: number, parts: number, i: number): number =>
  Math.floor((whole * (i + 1)) / parts) - Math.floor((whole * i) / parts);
