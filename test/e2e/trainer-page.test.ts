import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from 'vitest';
import { noBrowser } from '../support/browser.ts';
import { openSandboxPage, type SandboxPage } from '../support/sandbox-page.ts';

const said = [
  'Три последних отчёта пришли позже срока, последний — во вторник в обед.',
  'Из-за этого на встрече с заказчиком у меня не было цифр, и меня это беспокоит.',
  'Что мешает сдавать отчёт вовремя?',
  'Давайте договоримся: доступ дам до среды, отчёт — в понедельник к десяти.',
];

describe.skipIf(noBrowser)('the trainer, as a newcomer sees it', () => {
  let sandbox: SandboxPage;
  beforeAll(async () => {
    sandbox = await openSandboxPage();
  });
  afterAll(() => sandbox.close());
  beforeEach(() => onTestFailed(() => console.error(sandbox.log.slice(-40).join('\n'))));

  it('leads from a command through a kill to an analysis in the person’s own words', async () => {
    const { page, press, say, seen, liveStateIs, killAndRestart } = sandbox;
    await page.getByRole('button', { name: 'Начать' }).click();
    await seen('ИИ пишет, вы проверяете, бот публикует.');
    await say('/fbemployee');
    await seen('Ваша цель');
    await liveStateIs('intro');
    await press('Теория');
    await seen('Договорённости. Кто, что и к какому дню');
    await press('Начать диалог');
    await seen('Вы хотели поговорить?');
    await liveStateIs('waiting_user');
    await page.screenshot({ path: join(tmpdir(), 'seo-master-trainer-start.png') });
    for (const [turn, words] of said.slice(0, 3).entries()) {
      await say(words);
      await seen(`Ход ${turn + 2} из 5`);
      if (turn === 1) await killAndRestart();
    }
    await page.screenshot({ path: join(tmpdir(), 'seo-master-trainer-dialogue.png') });
    await say(said[3]!);
    await seen('Анализ · Обратная связь сотруднику');
    await liveStateIs('review_complete');
    const analysis = await page.locator('.bubble', { hasText: 'Анализ · Обратная связь' }).last().innerText();
    expect(analysis).toContain('Вы прошли весь путь');
    expect(said.filter((words) => analysis.includes(words.slice(0, 30))).length).toBeGreaterThan(1);
    expect(analysis.match(/✓ (?:Поведение|Результат|Отношение|Вопрос|Договорённости)/gu)).toHaveLength(5);
    await page.screenshot({ path: join(tmpdir(), 'seo-master-trainer-analysis.png') });
    expect(sandbox.complaints).toEqual([]);
  }, 240_000);
});
