import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { to } from '../../src/screens/kit/link.ts';
import { toasts } from '../../src/screens/kit/system.ts';
import { openStage, pressOf, type Stage } from './stage.ts';

// Sent by a process that died before it could note it: newer than whatever is on record.
const UNNOTED = '9999';
const skip = to('pc:skip');

let stage: Stage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.close());

describe('a screen that stands below the one we know of, and whose button does nothing any more', () => {
  it('becomes the question that is asked now', async () => {
    const anna = await atTheSecondQuestion();
    expect(await anna.does(pressOf(skip, UNNOTED))).toEqual([toasts.stale]);
    expect(stage.shows.at(-1)).toMatchObject({ replace: UNNOTED });
    expect(anna.sees()).toContain('Новый проект (2/4)');
  });

  it('becomes the page that the person is on', async () => {
    const anna = stage.person(stage.start());
    await anna.commands('start');
    await anna.presses('Проекты');
    expect(await anna.does(pressOf(skip, UNNOTED))).toEqual([toasts.stale]);
    expect(stage.shows.at(-1)).toMatchObject({ replace: UNNOTED });
    expect(anna.sees()).toContain('Проекты');
  });

  it('but the one we know of stays as it is', async () => {
    const anna = await atTheSecondQuestion();
    const before = stage.shows.length;
    expect(await anna.does(pressOf(skip, anna.chat().at(-1)!.id))).toEqual([toasts.stale]);
    expect(stage.shows).toHaveLength(before);
  });

  async function atTheSecondQuestion() {
    const anna = stage.person(stage.start());
    await anna.commands('start');
    await anna.presses('Проекты');
    await anna.presses('Создать проект');
    await anna.says('Ромашка');
    return anna;
  }
});
