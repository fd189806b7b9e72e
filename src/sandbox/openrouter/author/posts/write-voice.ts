import type { AnswerTo } from '../../../../services/ai/answers.ts';
import { sentences, words } from '../../../../services/quality/russian-text.ts';
import { linesOf, type Tags } from '../read-tags.ts';

/** What can be counted in a voice: whom it speaks to, in whose name, how long, how loud. */
export function writeVoice(tags: Tags): AnswerTo<'voice'> {
  const text = linesOf(tags('texts')).join(' ');
  const said = sentences(text);
  const length = Math.round(words(text).length / Math.max(1, said.length));
  const has = (pattern: RegExp) => pattern.test(text);
  const address = has(/(?<!\p{L})(?:ты|тебе|твой)(?!\p{L})/iu) ? 'на «ты»' : 'на «вы»';
  const self = has(/(?<!\p{L})(?:мы|наш\p{L}*|у нас)(?!\p{L})/iu) ? 'от лица «мы»' : 'безлично, о деле';
  const manner = length < 11 ? 'коротко, рублеными фразами' : 'ровно, законченными фразами';
  const mood = has(/!/u) ? 'Восклицания редки и к месту.' : 'Без восклицаний.';
  return {
    voice: `Обращайся к читателю ${address}, пиши ${self}. Говори ${manner}: в предложении около ${length} слов. ${mood} Сначала дело, потом пояснение; термин объясняй сразу. Не хвали себя и не пугай.`,
  };
}
