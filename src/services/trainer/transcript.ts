import type { Message } from '../../store/conversations.ts';

type Line = Pick<Message, 'role' | 'content'>;

/** How the person is called in what models read; the prompts name it too. */
const PERSON = 'Вы';

/**
 * One line for each thing said. Line breaks go: otherwise a person could write a line that looks like the other
 * one's.
 */
export const transcriptOf = (history: readonly Line[], counterpart: string): string =>
  history
    .filter(({ role }) => role !== 'system')
    .map(({ role, content }) => `${role === 'user' ? PERSON : counterpart}: ${oneLine(content)}`)
    .join('\n');

export const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();

/** As models are told of them: the id, and when it counts. */
export const listedComponents = (components: readonly { id: string; reached_when: string }[]): string =>
  components.map(({ id, reached_when }) => `${id} — ${oneLine(reached_when)}`).join('\n');
