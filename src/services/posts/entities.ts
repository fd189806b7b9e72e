/** The names that models write; others stay as they are. */
const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', shy: '' },
  ...{ mdash: '—', ndash: '–', minus: '−', hellip: '…', bull: '•', middot: '·' },
  ...{ laquo: '«', raquo: '»', bdquo: '„', ldquo: '“', rdquo: '”', lsquo: '‘', rsquo: '’' },
  ...{ rarr: '→', larr: '←', times: '×', deg: '°', plusmn: '±', euro: '€' },
  ...{ copy: '©', reg: '®', trade: '™', numero: '№', check: '✓', hearts: '♥' },
};

/** Escaped once or several times over: `&amp;amp;mdash;` is still a dash. */
const ENTITY = /&(?:amp;)*(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/giu;

export const decodeEntities = (text: string): string =>
  text.replace(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? entity;
    return character(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)) ?? entity;
  });

function character(code: number): string | null {
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code < 0x20 || code > 0x10ffff || isSurrogate ? null : String.fromCodePoint(code);
}
