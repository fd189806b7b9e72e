import type { Mood } from './moods.ts';
import { type Choice, routerError } from './wire.ts';

type Spoil = (text: string) => string;

const spoilers: Partial<Record<Mood['kind'], Spoil>> = {
  'empty-content': () => '',
  length: (text) => text.slice(0, text.length / 2),
  'finish-error': (text) => text.slice(0, text.length / 2),
  'fenced-json': (json) => `Вот ответ:\n\`\`\`json\n${json.replace(/([}\]])$/u, ',$1')}\n\`\`\`\nГотово!`,
  'truncated-json': (json) => json.replace(/[}\]]+$/u, ''),
  'broken-json': (json) => json.replaceAll('":', '" ='),
  'wrong-shape': () => '{"answer":"42"}',
};

/** The text of an answer as the mood lets it out. */
export const spoiledText = (text: string, mood: Mood | null): string =>
  (mood && spoilers[mood.kind]?.(text)) ?? text;

/** The whole choice as the mood lets it out, its text being spoiled already. */
export function moodyChoice(choice: Choice, mood: Mood | null): Choice {
  switch (mood?.kind) {
    case 'content-filter':
      return { ...choice, finish_reason: 'content_filter', message: silent(null) };
    case 'refusal':
      return { ...choice, message: silent('Я не могу помочь с этой просьбой.') };
    case 'length':
      return { ...choice, finish_reason: 'length' };
    case 'finish-error':
      return { ...choice, finish_reason: 'error', error: routerError(mood.status).error };
    default:
      return choice;
  }
}

const silent = (refusal: string | null): Choice['message'] => ({ role: 'assistant', content: null, refusal });
