import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { startFailure } from '../../../src/compose/start-failure.ts';
import {
  BadCase,
  casesFolder,
  loadCases,
  parseCase,
  type TrainerCase,
} from '../../../src/services/trainer/case-file.ts';

const peer = await readFile(new URL('fbpeer.yaml', casesFolder), 'utf8');
const changed = (change: (played: TrainerCase) => unknown): string => {
  const played = parse(peer) as TrainerCase;
  change(played);
  return stringify(played);
};

describe('the cases that come with the product', () => {
  it('are feedback to an employee, feedback to a colleague and a career conversation, by their commands', async () => {
    const cases = await loadCases();
    expect(cases.map(({ id, turns }) => [id, turns])).toEqual([
      ['fbemployee', 5],
      ['fbpeer', 5],
      ['career', 6],
    ]);
    const names = (id: string) => cases.find((each) => each.id === id)!.components.map(({ name }) => name);
    const provd = ['Поведение', 'Результат', 'Отношение', 'Вопрос', 'Договорённости'];
    expect([names('fbemployee'), names('fbpeer')]).toEqual([provd, provd]);
    expect(names('career')).toEqual(['Стремления', 'Сильные стороны', 'Развитие', 'Возможности', 'План']);
  });

  it('each hide something that only a good conversation brings out', async () => {
    for (const { hidden_facts } of await loadCases()) expect(hidden_facts.length).toBeGreaterThanOrEqual(3);
  });
});

describe('a case that cannot be played', () => {
  const complaint = (yaml: string, file = 'fbpeer.yaml'): string => {
    try {
      parseCase(yaml, file);
    } catch (error) {
      expect(error).toBeInstanceOf(BadCase);
      return (error as Error).message;
    }
    throw new Error('it was taken');
  };

  it('is refused at the start by a sentence that names everything that is missing', () => {
    const yaml = changed((played) => {
      Object.assign(played, { opening: undefined, theory: undefined });
      played.components.pop();
    });
    const message = complaint(yaml);
    expect(message).toContain('prompts/trainer/fbpeer.yaml cannot be played:');
    expect(message).toContain('opening: is missing');
    expect(message).toContain('theory: is missing');
    expect(message).toContain('components: should be 5');
    expect(startFailure(new BadCase(message))).toBe(message);
  });

  it.each([
    [
      'a hidden fact behind a component that it does not have',
      { after: 'plan' },
      'no component is called "plan"',
    ],
    ['a hidden fact without words', { fact: ' ' }, 'hidden_facts.0.fact: is empty'],
  ])('has %s', (_, change, words) => {
    expect(complaint(changed(({ hidden_facts }) => Object.assign(hidden_facts[0]!, change)))).toContain(
      words,
    );
  });

  it('has a word that no case has, two components of one id, or a name that is not its file’s', () => {
    expect(complaint(changed((played) => Object.assign(played, { hints: 'x' })))).toContain('hints');
    expect(complaint(changed(({ components }) => Object.assign(components[0]!, { id: 'result' })))).toContain(
      'two have the same id',
    );
    expect(complaint(peer, 'peer.yaml')).toContain('should be called fbpeer.yaml');
  });

  it('is no YAML at all', () => {
    expect(complaint('title: [')).toContain('prompts/trainer/fbpeer.yaml:');
  });
});
