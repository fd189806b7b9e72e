import { z } from 'zod';
import type { AnswerTo } from '../../../../services/ai/answers.ts';
import { findNiche } from '../find-niche.ts';
import { jsonOf, linesOf, numberOf, type Tags } from '../read-tags.ts';
import { niceViews, nicheScenes } from './scene-words.ts';

const sectionList = z.array(
  z.object({
    index: z.coerce.number().catch(0),
    heading: z.string().catch(''),
    context: z.string().catch(''),
  }),
);

/** One picture per section in their order; a second moment of the first ones when there are more pictures. */
export function directPictures(tags: Tags): AnswerTo<'image_director'> {
  const parsed = sectionList.safeParse(jsonOf(tags('target_sections')));
  const sections = parsed.success
    ? parsed.data
    : linesOf(tags('target_sections')).map((heading, index) => ({ index, heading, context: '' }));
  const count = numberOf(tags('image_count'), sections.length);
  const niche = findNiche(tags('niche'), tags('article_title'), tags('specialization'));
  const { setting, subjects, light } = nicheScenes[niche];
  const look = [tags('image_style'), tags('camera'), tags('angle')].filter(Boolean).join(', ');

  const images = Array.from({ length: sections.length === 0 ? 0 : count }, (_, i) => {
    const section = sections[i % sections.length]!;
    const subject = subjects[i % subjects.length]!;
    const view = niceViews[i % niceViews.length]!;
    return {
      section_index: section.index,
      concept: `The reader sees at a glance what the section «${section.heading}» is about.`,
      prompt: [
        `${view} of ${subject}, ${setting}.`,
        `The picture accompanies a section titled «${section.heading}».`,
        `${light}, calm background with plenty of air, natural materials, a clear main subject slightly off the centre.`,
        `Muted palette with ${tags('brand_colors') || 'one warm accent colour'} as a small accent${look ? `, ${look}` : ''}, quiet and trustworthy mood.`,
      ].join(' '),
      negative_prompt:
        'watermark, logo, overlay text, blur, bad hands, distorted faces, oversaturated colours, clutter, price tags',
      aspect_ratio: i === 0 ? '16:9' : i < 3 ? '4:3' : '1:1',
    };
  });
  return {
    images,
    visual_narrative: `All pictures share ${light} and a muted palette with one accent. They move from the whole to the detail and end with the result in everyday use.`,
  };
}
