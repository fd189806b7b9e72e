/** Longest first: «shch» is one letter, not three. */
const letters: readonly (readonly [string, string])[] = Object.entries({
  ...{ shch: 'щ', zh: 'ж', kh: 'х', ts: 'ц', ch: 'ч', sh: 'ш', yu: 'ю', ya: 'я', yo: 'ё' },
  ...{ a: 'а', b: 'б', v: 'в', g: 'г', d: 'д', e: 'е', z: 'з', i: 'и', j: 'й', k: 'к', l: 'л', m: 'м' },
  ...{
    n: 'н',
    o: 'о',
    p: 'п',
    r: 'р',
    s: 'с',
    t: 'т',
    u: 'у',
    f: 'ф',
    y: 'ы',
    c: 'ц',
    h: 'х',
    w: 'в',
    x: 'кс',
  },
});

/** Words that a transliteration robs of their soft sign. */
const softened: Readonly<Record<string, string>> = {
  ...{ vybrat: 'выбрать', kupit: 'купить', zakazat: 'заказать', sdelat: 'сделать', lechit: 'лечить' },
  ...{ mebel: 'мебель', dver: 'дверь', stoimost: 'стоимость', pechat: 'печать', otel: 'отель' },
  ...{ avtomobil: 'автомобиль', nedvizhimost: 'недвижимость', uchitel: 'учитель', stroitel: 'строитель' },
};

const filler = new Set([
  'blog',
  'stati',
  'article',
  'articles',
  'news',
  'page',
  'index',
  'html',
  'php',
  'www',
  'ru',
  'example',
]);

/** What a page is about, in Russian, as far as its address tells: its last part, or else its host. */
export function topicOf(address: string): string {
  const url = new URL(address);
  const asked = url.searchParams.get('q') ?? url.searchParams.get('query') ?? '';
  const parts = [asked, ...url.pathname.split('/').reverse(), url.hostname.replace(/\.[^.]+$/u, '')];
  return (
    parts.map(inRussian).find((topic) => /\p{L}{3}/u.test(topic) && topic.length > 3) ?? 'услуги для дома'
  );
}

function inRussian(part: string): string {
  return readable(part)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !filler.has(word))
    .map((word) => softened[word] ?? transliterated(word))
    .join(' ');
}

const pattern = new RegExp(letters.map(([latin]) => latin).join('|'), 'gu');
const cyrillic = new Map(letters);
const transliterated = (word: string): string => word.replace(pattern, (latin) => cyrillic.get(latin)!);

function readable(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a lone "%" is part of the address
  }
}
