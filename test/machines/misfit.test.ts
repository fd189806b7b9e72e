import { describe, expect, it } from 'vitest';
import { misfitOf } from '../../machines/project-fields.ts';
import { registry } from '../../machines/registry.ts';
import { toHtml } from '../../src/messengers/telegram/to-html.ts';
import { projectQuestionScreens } from '../../src/screens/fragments/project-questions.ts';

describe('an answer that is not taken', () => {
  const { specialization } = projectQuestionScreens([]);
  const told = (text: string) =>
    toHtml(
      specialization({
        answers: { name: 'Ромашка', companyName: 'Ромашка', specialization: null, websiteUrl: null },
        answered: false,
        misfit: misfitOf('specialization', text),
        failure: null,
      }).complaint ?? [],
    );

  it.each([
    ['цвет', 'Опишите подробнее (мин. 5 символов)'],
    ['я'.repeat(501), 'Слишком длинно'],
    ['🌸🌸🌸🌸🌸', 'Опишите словами'],
  ])('is answered with its true reason: %s', (text, reason) => {
    expect(told(text)).toContain(reason);
  });
});

describe('a session of the version before reasons were kept', () => {
  it('goes on, with its answers and its question', () => {
    const migrate = registry.ProjectCreate.migrate[1];
    const context = {
      ...{ run: 'r', userId: 7, origin: 'nav:projects', name: 'Ромашка', companyName: null },
      ...{
        specialization: null,
        websiteUrl: null,
        answered: false,
        invalid: true,
        projectId: null,
        failure: null,
      },
    };
    expect(migrate({ state: 'company_name', context })).toEqual({
      state: 'company_name',
      context: {
        ...{ run: 'r', userId: 7, origin: 'nav:projects', answered: false, projectId: null, failure: null },
        answers: { name: 'Ромашка', companyName: null, specialization: null, websiteUrl: null },
        misfit: 'wrong-format',
      },
    });
  });
});
