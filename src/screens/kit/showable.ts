import { fitsParam, type Link } from './link.ts';
import { isRedirect, type Redirect, type RichText, type Screen } from './screen.ts';

/**
 * Fails where a messenger would fail later: a link without its parameter, a label or a text that is none. Types rule
 * it out for a context that the present machine has made, not for one that was stored by an earlier release.
 */
export function expectShowable<Shown extends Screen | Redirect>(shown: Shown): Shown {
  if (isRedirect(shown)) {
    expectLink(shown.open);
    if (shown.notice) expectText(shown.notice);
    if (shown.screen) expectShowable(shown.screen);
    return shown;
  }
  expectText(shown.text);
  for (const row of shown.keyboard) {
    for (const button of row) {
      if (typeof button.label !== 'string') throw new TypeError('Expected the label of a button to be text');
      if ('link' in button) expectLink(button.link);
      else if (typeof button.url !== 'string')
        throw new TypeError('Expected the address of a button to be text');
    }
  }
  return shown;
}

function expectLink({ pattern, params }: Link): void {
  if (typeof pattern !== 'string') throw new TypeError('Expected the pattern of a link to be text');
  for (const name of namesIn(pattern)) {
    if (!fitsParam(name, params[name]))
      throw new TypeError(`Expected "${pattern}" to have {${name}}, got ${JSON.stringify(params[name])}`);
  }
}

const known = new Map<string, readonly string[]>();

/** Of a pattern's parameters. Patterns are a few hundred constants. */
function namesIn(pattern: string): readonly string[] {
  const names = known.get(pattern) ?? [...pattern.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name!);
  known.set(pattern, names);
  return names;
}

function expectText(text: RichText): void {
  for (const part of text) {
    if (typeof ('markup' in part ? part.markup : part.value) !== 'string')
      throw new TypeError('Expected every part of a text to be text');
  }
}
