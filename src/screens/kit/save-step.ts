import type { Failure } from '../../../machines/failure.ts';
import { to } from './link.ts';
import { type Button, button, paragraphs, type RichText, rich, type Screen } from './screen.ts';

/** Shown only when saving takes longer than a blink. */
export const workingOnIt = (text: RichText): Screen => ({ text, keyboard: [] });

export const savingFailed = (consequence: RichText, failure: Failure | null, exits: Button[]): Screen => ({
  text: paragraphs(
    rich`${failure?.userMessage ?? 'Не получилось сохранить.'}${failure && triedBefore(failure)}`,
    consequence,
  ),
  keyboard: [...(failure?.retryable ? [[button('Повторить', to('fsm:retry'), 'primary')]] : []), exits],
});

/** So that a press which came to nothing again is seen to have been heard. */
export const triedBefore = ({ again }: Failure): string => (again ? words[again] : '');

const words = { again: ' Снова не вышло.', 'once-more': ' И в этот раз тоже.' } as const;
