import { linesOf, type Tags } from '../read-tags.ts';
import { hearComponents, isJudgement } from './hear-components.ts';

/** Marks a dialogue by its words: what reached something is praised, what judged or said nothing is to be put otherwise. */
export function writeReview(tags: Tags): unknown {
  const components = linesOf(tags('components')).map((line) => line.split(' — ', 1)[0]!.trim());
  const reached = new Set(linesOf(tags('reached')));
  const said = linesOfPerson(tags('dialogue'));
  const heard = said.map((text) => ({
    text,
    reaches: components.filter((id) => hearComponents(text, components)[id]),
  }));
  const good = heard.filter(({ reaches, text }) => reaches.length > 0 && !isJudgement(text));
  const weak = heard.filter(({ reaches, text }) => isJudgement(text) || reaches.length === 0);
  const missing = components.filter((id) => !reached.has(id));
  const turning =
    good.find(({ reaches }) => reaches.includes('question') || reaches.includes('aspirations')) ?? good[0];
  return {
    overall: overallOf(
      tags('counterpart_name'),
      components.length - missing.length,
      components.length,
      weak.length,
    ),
    good: good.slice(0, 2).map(({ text, reaches }) => ({ quote: piece(text), comment: praise(reaches) })),
    improve: improvements(weak, heard, adviceTo(tags('counterpart_name'), missing[0]), missing.length > 0),
    verdicts: Object.fromEntries(components.map((id) => [id, verdict(id, reached.has(id))])),
    turning_quote: turning ? piece(turning.text) : '',
    turning_comment: turning ? 'После этих слов собеседник перестал защищаться и заговорил о деле.' : '',
  };
}

type Heard = { text: string; reaches: string[] };

function improvements(
  weak: readonly Heard[],
  all: readonly Heard[],
  better: string,
  isSomethingMissing: boolean,
) {
  if (weak.length > 0)
    return weak.slice(0, 2).map(({ text }) => ({
      quote: piece(text),
      comment: isJudgement(text)
        ? 'Это оценка, а не факт: на неё отвечают защитой.'
        : 'Фраза ни к чему не ведёт: собеседник не понял, чего вы от него ждёте.',
      better,
    }));
  const last = all.at(-1);
  return last
    ? [
        {
          quote: piece(last.text),
          comment: isSomethingMissing
            ? 'Здесь было место для того, чего не хватило.'
            : 'Можно короче: так легче запомнить.',
          better,
        },
      ]
    : [];
}

const advice: Readonly<Record<string, string>> = {
  behavior: 'Три последних отчёта пришли на день позже срока.',
  result: 'Из-за этого на встрече у нас не было цифр.',
  attitude: 'Меня это беспокоит, потому что я на вас рассчитываю.',
  question: 'Что мешает и чем я могу помочь?',
  agreements: 'Давайте договоримся: в понедельник к десяти, через две недели сверимся.',
  aspirations: 'Какой работы вам хочется через два года?',
  strengths: 'Модель спроса, которую вы собрали в мае, сэкономила нам неделю.',
  development: 'Какой навык приблизит вас к этому, и на чём его тренировать?',
  opportunities: 'Могу предложить вам вести новый проект с наставником.',
  plan: 'Первый шаг до конца месяца, а через две недели вернёмся к разговору.',
};

/** Where the case is another one than that of the reports. */
const adviceToMarina: Readonly<Record<string, string>> = {
  behavior: 'Вчера на показе ты трижды перебила меня.',
  result: 'Заказчик решил, что у нас нет согласия, и попросил пересмотреть план.',
  attitude: 'Мне было неприятно: я рассчитываю, что мы выступаем вместе.',
  agreements: 'Давай делить слайды заранее и прогонять показ в четверг.',
};

/** When nothing is missing. */
const TO_THE_POINT = 'Хочу сразу перейти к тому, ради чего мы встретились.';

const adviceTo = (name: string, missing: string | undefined): string =>
  missing === undefined
    ? TO_THE_POINT
    : ((name === 'Марина' ? adviceToMarina[missing] : undefined) ?? advice[missing] ?? TO_THE_POINT);

const praises: Readonly<Record<string, string>> = {
  behavior: 'Назван поступок, с которым не поспоришь.',
  result: 'Видно, чем это обернулось для дела.',
  attitude: 'Вы сказали о себе, а не о собеседнике: это слышат.',
  question: 'Открытый вопрос дал собеседнику рассказать своё.',
  agreements: 'Понятно, кто, что и когда делает.',
  aspirations: 'Вы спросили, чего хочет собеседник, и открыли разговор.',
  strengths: 'Похвала с примером, ей верят.',
  development: 'Речь о навыке, а не об оценке.',
  opportunities: 'Вы предложили то, что можно попробовать.',
  plan: 'Есть шаг и срок, к этому можно вернуться.',
};

const praise = (reaches: readonly string[]): string =>
  reaches
    .slice(0, 2)
    .map((id) => praises[id] ?? 'Сказано к месту.')
    .join(' ');

const verdict = (id: string, isReached: boolean): string =>
  isReached ? (praises[id] ?? 'Прозвучало.') : 'Не прозвучало ни в одной реплике.';

function overallOf(name: string, reached: number, all: number, weak: number): string {
  if (reached === all)
    return `Вы прошли весь путь: ${name} услышал вас и знает, что делать дальше.`.replace(
      /(Марина|Ольга) услышал /u,
      '$1 услышала ',
    );
  return reached === 0
    ? 'Разговор состоялся, но ни одна из пяти частей не прозвучала. Начните с того, что видели сами.'
    : `Прозвучало ${reached} из ${all}.${weak > 0 ? ' Часть реплик ушла на оценки и общие слова.' : ''} Следующий шаг — добавить то, чего не хватило.`;
}

const linesOfPerson = (dialogue: string): string[] =>
  dialogue.split('\n').flatMap((line) => (line.startsWith('Вы: ') ? [line.slice(4)] : []));

/** The first sentence, or as much of it as fits a quotation. */
function piece(text: string): string {
  const sentence = /^.*?[.!?](?=\s|$)/u.exec(text)?.[0] ?? text;
  return sentence.split(' ').slice(0, 16).join(' ');
}
