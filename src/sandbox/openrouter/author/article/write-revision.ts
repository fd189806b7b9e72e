import { capitalised } from '../../../../russian.ts';
import type { AnswerTo } from '../../../../services/ai/answers.ts';
import type { Tags } from '../read-tags.ts';
import { readWishes, type Wish } from '../read-wish.ts';
import { type Draft, isProse, readDraft, toMarkdown } from './draft.ts';
import { writeCritique } from './write-critique.ts';

const FEWEST_BLOCKS = 2;

/** Does each part of the wish that it understands, and says of the others that they were left alone. */
export function writeRevision(tags: Tags, turn = 0): AnswerTo<'article_revision'> {
  const draft = readDraft(tags('current_markdown'), tags('main_phrase'));
  const done = readWishes(tags('wish')).map((wish) => fulfil(wish, draft));
  const changed = `# ${draft.title}\n\n${toMarkdown(draft)}`;
  const answer = writeCritique((name) => (name === 'current_markdown' ? changed : tags(name)), turn);
  return {
    ...answer,
    content_markdown: toMarkdown(readDraft(changed, tags('main_phrase'))),
    changes_summary: done.join(' '),
  };
}

/** What was done, in words for the owner. */
function fulfil(wish: Wish, draft: Draft): string {
  switch (wish.kind) {
    case 'shorter':
      if (wish.only === 'opening') {
        draft.opening = shortened(draft.opening);
        return 'Вступление стало короче.';
      }
      for (const section of draft.sections) section.blocks = withoutOne(section.blocks);
      return 'Разделы стали короче, суть осталась.';
    case 'fact':
      draft.sections[0]?.blocks.push(`${capitalised(wish.fact)}.`);
      return `В первый раздел добавлено: ${wish.fact}.`;
    case 'about':
      draft.sections
        .at(-1)
        ?.blocks.push(
          `${capitalised(wish.topic)} лучше договориться заранее: что входит в цену, кто за это отвечает и в какой срок.`,
        );
      return `Добавлен абзац ${wish.topic}.`;
    case 'other':
      return `Не сделано: «${wish.words}» — это умеет только настоящая модель.`;
    default: {
      const never: never = wish;
      return never;
    }
  }
}

function withoutOne(blocks: readonly string[]): string[] {
  const last = blocks.findLastIndex(isProse);
  return blocks.filter(isProse).length > FEWEST_BLOCKS ? blocks.filter((_, i) => i !== last) : [...blocks];
}

/** The first paragraph carries the phrase and stays; one that stands alone loses its last sentence. */
function shortened(blocks: readonly string[]): string[] {
  const prose = blocks.filter(isProse);
  if (prose.length > 1) return blocks.filter((block) => block !== prose.at(-1));
  return blocks.map((block) => (isProse(block) ? block.replace(/(?<=[.!?])\s+[^.!?]+[.!?]$/u, '') : block));
}
