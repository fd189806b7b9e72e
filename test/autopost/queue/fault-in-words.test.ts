import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { faultInWords } from '../../../src/autopost/queue/fault-in-words.ts';

const schema = readFileSync('schema.sql', 'utf8');
const bodyOf = (name: string) =>
  schema.split(`create or replace function ${name}(`)[1]?.split('$$;')[0] ?? '';
const faults = ['send_mode_fault', 'preflight_fault']
  .flatMap((name) => [...bodyOf(name).matchAll(/then\s+'(?<fault>[^']+)'/gu)])
  .map(({ groups }) => groups?.fault ?? '');

it.each(faults)('the sender of a post reads in Russian why it was refused: %s', (fault) => {
  expect(faultInWords(fault)).toMatch(/^[А-ЯЁ][^a-z]/u);
});

it('finds what the database can say against a post', () => expect(faults).toHaveLength(12));
