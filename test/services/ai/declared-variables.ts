import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The names that a prompt file says it is filled with, in order. */
export function declaredVariables(prompt: string): string[] {
  const file = parse(readFileSync(new URL(`../../../prompts/${prompt}.yaml`, import.meta.url), 'utf8')) as {
    variables: { name: string }[];
  };
  return file.variables.map(({ name }) => name).sort();
}
