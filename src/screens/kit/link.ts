/**
 * Where a button leads, as data: a pattern such as `project:{pid}:card` and its parameters. Patterns are
 * declared beside the screens and routes that use them; `telegram/callback-data.ts` puts them on the wire.
 */
export type Link = {
  pattern: string;
  params: LinkParams;
  /**
   * The step of the run that a flow's button was drawn for. The engine sets it and checks it; a screen never does.
   */
  mark?: string;
};
export type LinkParams = Readonly<Record<string, string | number>>;

/** Parameters that are numbers on the wire; all others are lower-case words. */
export const numericParams = ['pid', 'cid', 'nid', 'sid', 'n', 'i', 'k', 'uid'] as const;
type NumericParam = (typeof numericParams)[number];

type NamesIn<Pattern extends string> = Pattern extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

export type ParamsOf<Pattern extends string> = {
  readonly [Name in NamesIn<Pattern>]: Name extends NumericParam ? number : string;
};

/** Ids are `integer` columns: a larger number matches no row. */
const LARGEST_NUMBER = 2_147_483_647;
const word = /^[a-z0-9_-]+$/u;

export const isNumericParam = (name: string): boolean => (numericParams as readonly string[]).includes(name);

export const fitsParam = (name: string, value: unknown): boolean =>
  isNumericParam(name)
    ? Number.isInteger(value) && Number(value) >= 0 && Number(value) <= LARGEST_NUMBER
    : typeof value === 'string' && word.test(value);

/** `to('project:{pid}:card', { pid: 5 })`: the compiler knows which parameters a pattern has. */
export function to<const Pattern extends string>(
  pattern: Pattern,
  ...params: NamesIn<Pattern> extends never ? [] : [ParamsOf<Pattern>]
): Link {
  return { pattern, params: (params[0] ?? {}) as LinkParams };
}

/** What a flow remembers of the screen that opened it. */
export const packLink = (link: Link): string => JSON.stringify([link.pattern, link.params]);

export function unpackLink(packed: string): Link {
  const [pattern, params] = JSON.parse(packed) as [string, LinkParams];
  return { pattern, params };
}
