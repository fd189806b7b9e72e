import type { AnswerTo } from '../../../../services/ai/answers.ts';
import type { Tags } from '../read-tags.ts';
import { isProse, readDraft, toMarkdown } from './draft.ts';
import { writeCritique } from './write-critique.ts';

const FEWEST_BLOCKS = 2;

/** What people ask for most, done for real: shorter. Anything else becomes a paragraph of its own. */
export function writeRevision(tags: Tags, turn = 0): AnswerTo<'article_revision'> {
  const wish = tags('wish');
  const draft = readDraft(tags('current_markdown'), tags('main_phrase'));
  const isShorter = /короче|сократи|меньше/iu.test(wish);
  if (isShorter) for (const section of draft.sections) section.blocks = withoutOne(section.blocks);
  else
    draft.sections[0]?.blocks.push(`Отдельно о том, что важно владельцу: ${wish.replace(/[.!\s]+$/u, '')}.`);
  const changed = `# ${draft.title}\n\n${toMarkdown(draft)}`;
  const answer = writeCritique((name) => (name === 'current_markdown' ? changed : tags(name)), turn);
  return {
    ...answer,
    content_markdown: toMarkdown(readDraft(changed, tags('main_phrase'))),
    changes_summary: isShorter
      ? 'Разделы стали короче, суть осталась.'
      : `Добавлено в первый раздел: ${wish}`,
  };
}

function withoutOne(blocks: readonly string[]): string[] {
  const last = blocks.findLastIndex(isProse);
  return blocks.filter(isProse).length > FEWEST_BLOCKS ? blocks.filter((_, i) => i !== last) : [...blocks];
}
