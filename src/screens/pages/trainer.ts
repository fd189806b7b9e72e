import { date, plural } from '../../russian.ts';
import { type Link, to } from '../kit/link.ts';
import { button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';

export type CaseItem = { id: string; title: string; summary: string };

/** `at` is a timestamp as the database writes it; of the five components so many were reached. */
export type PastDialogue = {
  caseId: string;
  at: string;
  turns: number;
  reached: number;
  isReviewed: boolean;
};

/** A dialogue that waits to be gone on with. */
export type WaitingDialogue = { caseId: string; title: string; turns: number };

const caseLink = (id: string): Link => ({ pattern: casePattern(id), params: {} });
export const casePattern = (id: string): string => `trainer:case:${id}`;
export const resumePattern = (id: string): string => `trainer:resume:${id}`;

/** One button per dialogue that is still open. */
export const resumeButtons = (waiting: readonly WaitingDialogue[]) =>
  waiting.map(({ caseId, title }) => [
    button(`Продолжить диалог: ${title}`, { pattern: resumePattern(caseId), params: {} }, undefined),
  ]);

export function trainerScreen(cases: readonly CaseItem[], waiting: readonly WaitingDialogue[]): Screen {
  return {
    text: paragraphs(
      rich`<b>Тренажёр разговоров</b>`,
      rich`Проведите трудный разговор с собеседником, которого играет нейросеть, и получите разбор ваших слов. Бесплатно, один разговор — пять-десять минут.`,
      lines(...cases.map(({ id, title, summary }) => rich`<b>${title}</b> — ${summary} (/${id})`)),
      waiting.length > 0 && rich`Незаконченный разговор ждёт вас сутки после последней реплики.`,
    ),
    keyboard: [
      ...resumeButtons(waiting),
      ...cases.map(({ id, title }) => [button(title, caseLink(id))]),
      [button('Мои тренировки', to('trainer:history'))],
      [menuButton],
    ],
  };
}

const COMPONENTS = 5;

export function trainerHistoryScreen(
  dialogues: readonly PastDialogue[],
  titleOf: (caseId: string) => string | null,
): Screen {
  return {
    text: paragraphs(
      rich`<b>Мои тренировки</b>`,
      dialogues.length === 0
        ? rich`Пока ни одной. Выберите случай: первый разговор займёт минут пять.`
        : lines(...dialogues.map(historyLine)),
      dialogues.length > 0 && rich`Показаны последние десять; хранятся они 30 дней.`,
    ),
    keyboard: [[button('К тренажёру', to('trainer:list'), 'primary')], [menuButton]],
  };

  function historyLine({ caseId, at, turns, reached, isReviewed }: PastDialogue): RichText {
    const title = titleOf(caseId) ?? 'Случай, которого больше нет';
    const day = date(new Date(at), 'Europe/Moscow');
    return rich`${day} · ${title}: ${reached} из ${COMPONENTS}, ${plural(turns, 'ход', 'хода', 'ходов')}${isReviewed && ', с анализом'}`;
  }
}
