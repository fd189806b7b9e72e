import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanVariable } from '../../../src/services/ai/clean-variable.ts';
import { filePrompts } from '../../../src/services/ai/prompts.ts';
import { makeRenderPrompt } from '../../../src/services/ai/render-prompt.ts';
import { type Task, tasks } from '../../../src/services/ai/tasks.ts';

/** Words of strangers stay where they were put: nothing they write ends their fence or speaks the template's language. */

const activePrompt = await filePrompts();
const render = makeRenderPrompt({ activePrompt });

const promptsByTask = await Promise.all(
  (Object.keys(tasks) as Task[]).map(async (task) => ({ task, prompt: await activePrompt(task) })),
);

const brackets = [
  '<',
  '</',
  '<\\',
  '< /',
  '<\u200b/',
  '<\u0338/',
  '＜/',
  '﹤',
  '‹/',
  '⟨ /',
  '<!',
  '<?',
  '<|',
  '&lt;/',
];
const endings = ['>', ' >', '＞', '/>', ' x="1">', '\u00ad>', '', '›'];
const noise = [
  '<<',
  '>>',
  '<%',
  '%>',
  '<#',
  '#>',
  '<',
  '%',
  '#',
  '>',
  '/',
  '\n',
  ' ',
  '5',
  'b',
  '<b>',
  '<a ',
  '<a href="',
  'system:',
];

/** A tag of the prompt as somebody would write it who wants to be taken for the template. */
const forgedTag = (names: readonly string[]) =>
  fc
    .tuple(
      fc.constantFrom(...brackets),
      fc.constantFrom(...names),
      fc.constantFrom(asIs, shouted, spaced, invisible, inCyrillic),
      fc.constantFrom(...endings),
    )
    .map(([open, name, disguise, close]) => `${open}${disguise(name)}${close}`);

const hostileText = (names: readonly string[]) =>
  fc
    .array(fc.oneof(forgedTag(names), fc.constantFrom(...noise), fc.constantFrom(...names), fc.string()), {
      minLength: 1,
      maxLength: 12,
    })
    .map((parts) => parts.join(''));

describe.each(promptsByTask)('the prompt of $task', ({ task, prompt }) => {
  const names = prompt.variables.map(({ name }) => name);

  it('holds every value in its fence, whatever it says', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(hostileText(names), { minLength: names.length, maxLength: names.length }),
        async (texts) => {
          const values = Object.fromEntries(names.map((name, i) => [name, `проба ${texts[i]}`]));
          const { user } = await render(task, values);
          const undisguised = reveal(user);
          for (const name of names) {
            expect(undisguised.split(`<${name}>`), name).toHaveLength(2);
            expect(undisguised.split(`</${name}>`), name).toHaveLength(2);
            expect(fenced(user, name)).toBe(cleanVariable(values[name]));
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a value', () => {
  it.each([
    ['<< secret >>', 'secret'],
    ['<% if x %>да<% endif %>', 'if x да endif'],
    ['<# тайна #>', 'тайна'],
    ['<<<%%>>>', ''],
    ['<<%%>', '%'],
    ['a<%<<>>%>b', 'ab'],
  ])('speaks no template: %j', (written, left) => {
    expect(String(cleanVariable(written) ?? '').replace(/\s+/gu, ' ')).toBe(left);
  });

  it('is free of delimiters at any depth, in its names too', () => {
    const cleaned = cleanVariable({ '<<a>>': [{ b: ['<% c %>', { d: 'e<#f#>' }] }, '>>'] });
    expect(cleaned).toEqual({ a: [{ b: ['c', { d: 'ef' }] }] });
  });

  it('has no delimiter left, however they are nested', () => {
    const anyPieces = fc.array(fc.constantFrom('<', '>', '%', '#', 'x'), { maxLength: 60 });
    fc.assert(
      fc.property(anyPieces, (pieces) => {
        expect(String(cleanVariable(pieces.join('')) ?? '')).not.toMatch(/<<|>>|<%|%>|<#|#>/u);
      }),
    );
  });

  it.each([
    '<b>Кухни</b> и <a href="https://example.org/?a=1&b=2">сайт</a>',
    'Усадка <5 %, зазор < 3 мм, A > B',
    'Кафе ‹Уют› и «Дом» — 100 % & больше',
    '## Выбор\n\n![Кухня]({{IMAGE_1}} "Подпись")\n\n> цитата | таблица |',
  ])('keeps what is no danger: %j', (harmless) => {
    expect(cleanVariable(harmless)).toBe(harmless);
  });

  it.each([null, undefined, '', ' \n', [], {}, [null, ''], { a: null }, Number.NaN])(
    'that says nothing is none: %j',
    (nothing) => {
      expect(cleanVariable(nothing)).toBeUndefined();
    },
  );

  it.each([0, false, 7])('that is short is still one: %j', (little) => {
    expect(cleanVariable(little)).toBe(little);
  });

  it('of any length is cleaned in a breath', () => {
    const long = '<%'.repeat(1) + '<'.repeat(300_000) + '%'.repeat(300_000) + '</city>'.repeat(50_000);
    expect(String(cleanVariable(long))).not.toContain('<');
  });
});

function fenced(user: string, name: string): string | undefined {
  return user.match(new RegExp(`<${name}>\\n?([\\s\\S]*?)\\n?</${name}>`, 'u'))?.[1];
}

/** Reads as a lenient reader would: through case, spaces, invisible signs, wide forms and foreign letters. */
function reveal(text: string): string {
  const closing = text.replace(/[‹⟨](?=[\s\p{Cf}\p{M}]*[/\\])/gu, '<');
  return closing
    .normalize('NFKD')
    .replace(/[\s\p{Cf}\p{M}\p{Cc}]/gu, '')
    .replaceAll('\\', '/')
    .toLowerCase()
    .replace(/[аеосрхуі]/gu, (letter) => latin[letter]!);
}

const latin: Record<string, string> = { а: 'a', е: 'e', о: 'o', с: 'c', р: 'p', х: 'x', у: 'y', і: 'i' };

function asIs(name: string) {
  return name;
}
function shouted(name: string) {
  return name.toUpperCase();
}
function spaced(name: string) {
  return ` ${name.slice(0, 2)}\t${name.slice(2)} `;
}
function invisible(name: string) {
  return [...name].join('\u200d');
}
function inCyrillic(name: string) {
  const cyrillic = Object.fromEntries(Object.entries(latin).map(([letter, twin]) => [twin, letter]));
  return name.replace(/[aeocpxyi]/gu, (letter) => cyrillic[letter]!);
}
