import { lines, paragraphs, type RichText, rich, type Screen } from './screen.ts';

/** The stages of long work, in order: what is done is ticked, what runs is marked. */
export type Stages = readonly (readonly [name: string, label: string])[];

export function progressScreen(
  head: RichText,
  stages: Stages,
  { stage, late }: { stage: string | null; late: boolean },
): Screen {
  const current = Math.max(
    0,
    stages.findIndex(([name]) => name === stage),
  );
  return {
    text: paragraphs(
      head,
      lines(...stages.map(([, label], i) => rich`${i < current ? '✓' : i === current ? '▸' : '·'} ${label}`)),
      late
        ? rich`Дольше обычного: внешние сервисы отвечают медленно. Ждать в чате не обязательно.`
        : rich`<i>Можно уйти: результат придёт сюда.</i>`,
    ),
    keyboard: [],
  };
}
