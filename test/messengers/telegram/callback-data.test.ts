import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLinkDecoder, encodeLink } from '../../../src/messengers/telegram/callback-data.ts';
import { numericParams } from '../../../src/screens/kit/link.ts';
import { allPatterns, flows, playedMenu } from '../../menu/played-menu.ts';

const patterns = allPatterns();
const decode = createLinkDecoder(patterns);
const MOST_ID = 2_147_483_647;

const isNumeric = (name: string) => (numericParams as readonly string[]).includes(name);
const namesIn = (pattern: string) => [...pattern.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name!);
const paramsOf = (pattern: string) =>
  fc.record(
    Object.fromEntries(
      namesIn(pattern).map((name) => [
        name,
        isNumeric(name) ? fc.integer({ min: 0, max: MOST_ID }) : fc.stringMatching(/^[a-z0-9_-]{1,20}$/u),
      ]),
    ),
  );

describe('callback data', () => {
  it('knows patterns to speak of', () => expect(patterns.length).toBeGreaterThan(25));

  it.each(patterns)('%s comes back as it was sent', (pattern) => {
    fc.assert(
      fc.property(paramsOf(pattern), (params) => {
        const data = encodeLink({ pattern, params });
        expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
        expect(data).toMatch(/^[\x21-\x7e]+$/u);
        expect(decode(data)).toEqual({ pattern, params });
      }),
    );
  });

  it.each(patterns)('%s fits with the largest ids there are', (pattern) => {
    const params = Object.fromEntries(
      namesIn(pattern).map((name) => [name, isNumeric(name) ? MOST_ID : 'company_instagram']),
    );
    expect(() => encodeLink({ pattern, params })).not.toThrow();
  });

  it.each([...flows.patterns])('%s of a flow has room for the mark of its step, too', (pattern) => {
    const params = Object.fromEntries(
      namesIn(pattern).map((name) => [name, isNumeric(name) ? MOST_ID : 'company_instagram']),
    );
    const link = { pattern, params, mark: 'aB3_-9' };
    expect(decode(encodeLink(link))).toEqual(link);
  });

  it.each([...flows.patterns])('%s of a flow is not shadowed by a page of the menu', (pattern) => {
    const params = Object.fromEntries(namesIn(pattern).map((name) => [name, isNumeric(name) ? 5 : 'name']));
    // The menu is asked first, and of two patterns that fit, the first one answers.
    expect(playedMenu().has(pattern)).toBe(false);
    expect(decode(encodeLink({ pattern, params }))?.pattern).toBe(pattern);
  });

  it.each(['pc:skip~', 'pc:skip~a~b', 'pc:skip~а', `pc:skip~${'a'.repeat(13)}`])(
    'with a mark that no button carries, %s, means nothing',
    (data) => expect(decode(data)).toBeNull(),
  );

  it('longer than Telegram takes is refused where it is made, not where it is pressed', () => {
    const field = 'x'.repeat(64 - 'project:5:edit:'.length);
    const link = (value: string) => ({
      pattern: 'project:{pid}:edit:{field}',
      params: { pid: 5, field: value },
    });
    expect(Buffer.byteLength(encodeLink(link(field)))).toBe(64);
    expect(() => encodeLink(link(`${field}x`))).toThrow(/65 bytes/);
  });

  it.each([
    ['a negative number', { pid: -1 }],
    ['a fraction', { pid: 1.5 }],
    ['no number', { pid: Number.NaN }],
    ['a number as text', { pid: '5' }],
    ['a number no id has', { pid: MOST_ID + 1 }],
    ['nothing', {}],
  ])('with %s in it is refused', (_, params) => {
    expect(() => encodeLink({ pattern: 'project:{pid}:card', params: params as never })).toThrow(RangeError);
  });

  it.each(['', 'Город', 'a:b', 'a b', 'A', 'a\n', '..'])('with the word %j in it is refused', (field) => {
    const link = { pattern: 'project:{pid}:edit:{field}', params: { pid: 5, field } };
    expect(() => encodeLink(link)).toThrow(RangeError);
  });

  it.each([
    ['nothing', ''],
    ['an unknown pattern', 'horoscope:5'],
    ['a part of a pattern', 'project:5'],
    ['more than a pattern', 'project:5:card:more'],
    ['a pattern in the middle', ' project:5:card'],
    ['a line too many', 'project:5:card\n'],
    ['a zero in front', 'project:05:card'],
    ['a sign', 'project:+5:card'],
    ['a minus', 'project:-5:card'],
    ['an exponent', 'project:1e3:card'],
    ['hexadecimal', 'project:0x5:card'],
    ['a fraction', 'project:5.0:card'],
    ['digits of another script', 'project:٥:card'],
    ['an id one too large', 'project:2147483648:card'],
    ['an id far too large', 'project:99999999999999999999:card'],
    ['the placeholder itself', 'project:{pid}:card'],
    ['SQL', 'project:5;drop table users:card'],
    ['a path', 'help:../../etc/passwd'],
    ['a prototype', 'help:__PROTO__'],
    ['capital letters', 'NAV:DASHBOARD'],
    ['Cyrillic that looks Latin', 'nаv:dashboard'],
    ['a zero character', 'nav:dashboard\u0000'],
    ['half a pair', 'help:\ud800'],
  ])('that is %s means nothing', (_, data) => expect(decode(data)).toBeNull());

  it('over 64 bytes means nothing, though a pattern would fit', () => {
    expect(decode(`help:${'x'.repeat(59)}`)).not.toBeNull();
    expect(decode(`help:${'x'.repeat(60)}`)).toBeNull();
  });

  it('whatever is read could have been written: nothing slips in beside the builder', () => {
    const piece = fc.oneof(
      fc.constantFrom(...patterns.flatMap((pattern) => pattern.split(/[:{}]/u)), ':', '{', '0', '-1', ' '),
      fc.nat(),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.boolean(), (pieces, joined) => {
        const data = pieces.join(joined ? ':' : '');
        const link = decode(data);
        if (link) expect(encodeLink(link)).toBe(data);
      }),
      { numRuns: 2_000 },
    );
  });
});
