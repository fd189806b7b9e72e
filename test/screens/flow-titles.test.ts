import { expect, it } from 'vitest';
import { loadFlowScreens } from '../../src/screens/load-flow-screens.ts';

it('the name of a dialogue reads the same behind «Начинаем»: no feminine noun leads it', async () => {
  for (const { title } of Object.values(await loadFlowScreens())) {
    expect(title.split(' ')[0]).not.toMatch(/[ая]$/u);
  }
});
