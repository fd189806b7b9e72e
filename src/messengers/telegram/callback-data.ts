import { fitsParam, isNumericParam, type Link, type LinkParams } from '../../screens/kit/link.ts';

/** Telegram's limit for what a button carries. */
const MOST_BYTES = 64;

const placeholder = /\{(\w+)\}/gu;
/** Neither a pattern nor a parameter contains it. */
const MARK_SIGN = '~';
const markShape = /^[A-Za-z0-9_-]{1,12}$/u;

/** The one builder of callback data. Throws where a button could not work: a test, not a person, should see it. */
export function encodeLink({ pattern, params, mark }: Link): string {
  const address = pattern.replace(placeholder, (_, name: string) => {
    const value = params[name];
    if (!fitsParam(name, value))
      throw new RangeError(`"${pattern}" got ${JSON.stringify(value)} for {${name}}`);
    return String(value);
  });
  const data = mark === undefined ? address : `${address}${MARK_SIGN}${mark}`;
  const bytes = Buffer.byteLength(data);
  if (bytes > MOST_BYTES) throw new RangeError(`"${data}" is ${bytes} bytes, Telegram takes ${MOST_BYTES}`);
  return data;
}

/** Reads callback data back. Whatever no pattern describes, exactly and within the limits, is `null`. */
export function createLinkDecoder(patterns: Iterable<string>): (data: string) => Link | null {
  const byEntity = new Map<string, { pattern: string; names: string[]; shape: RegExp }[]>();
  for (const pattern of new Set(patterns)) {
    const names = [...pattern.matchAll(placeholder)].map(([, name]) => name!);
    const shape = new RegExp(`^${pattern.replace(placeholder, (_, name) => shapeOf(name))}$`, 'u');
    const entity = entityOf(pattern);
    byEntity.set(entity, [...(byEntity.get(entity) ?? []), { pattern, names, shape }]);
  }
  return (data) => {
    if (Buffer.byteLength(data) > MOST_BYTES) return null;
    const [address = '', mark, ...rest] = data.split(MARK_SIGN);
    if (rest.length > 0 || (mark !== undefined && !markShape.test(mark))) return null;
    for (const { pattern, names, shape } of byEntity.get(entityOf(address)) ?? []) {
      const match = shape.exec(address);
      if (!match) continue;
      const params: LinkParams = Object.fromEntries(
        names.map((name, index) => [
          name,
          isNumericParam(name) ? Number(match[index + 1]) : match[index + 1]!,
        ]),
      );
      const inRange = Object.entries(params).every(([name, value]) => fitsParam(name, value));
      return inRange ? { pattern, params, ...(mark !== undefined && { mark }) } : null;
    }
    return null;
  };
}

const entityOf = (data: string): string => data.split(':', 1)[0]!;
const shapeOf = (name: string): string => (isNumericParam(name) ? '(0|[1-9]\\d{0,9})' : '([a-z0-9_-]+)');
