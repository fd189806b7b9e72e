import { expect, it } from 'vitest';
import { toHtml } from '../../../src/messengers/telegram/to-html.ts';
import { rich } from '../../../src/screens/kit/screen.ts';

it('a quoted name with quotes of its own is shown in two kinds of quotes, and a bare one as it was typed', () => {
  const name = 'Кофейня «Зерно»';
  expect(toHtml(rich`Проект «${name}» создан.`)).toBe('Проект «Кофейня „Зерно“» создан.');
  expect(toHtml(rich`Проект: ${name}`)).toBe('Проект: Кофейня «Зерно»');
});
