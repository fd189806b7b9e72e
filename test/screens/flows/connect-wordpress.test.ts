import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { to } from '../../../src/screens/kit/link.ts';
import { openStage, pressOf, type Stage } from '../../engine/stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.close());

describe('connecting a site', () => {
  it.each([
    ['that answers by plain HTTP only warns before a password is asked for', 'http://romashka.ru/', true],
    ['that answers by HTTPS says nothing of it', 'https://romashka.ru/', false],
    ['on this very machine says nothing of it either', 'http://127.0.0.1:4161/u7/', false],
  ])('%s', async (_, url, warns) => {
    stage.ports.reachSite.answersWith(() => ({
      ...{ identifier: 'romashka.ru', name: '', url, otherProject: null, authorization: null },
    }));
    const anna = stage.person(stage.start());
    await anna.commands('start');
    await anna.does(pressOf(to('project:{pid}:conn_add:wordpress', { pid: 5 }), null));
    await anna.says('romashka.ru');
    expect(anna.sees()).toContain('Подключение WordPress (2/3)');
    expect(anna.sees()?.includes('Сайт открывается только по http, без шифрования')).toBe(warns);
  });
});
