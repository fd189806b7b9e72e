/**
 * What can be known of the grammar of a search phrase without a dictionary. Where the ending is ambiguous
 * («окна» may be one window's or many windows) nothing is claimed, and only constructions that need no form are used.
 */
export type Phrase = {
  text: string;
  /** As it stands at the beginning of a sentence. */
  capital: string;
  plural: boolean | null;
  /** «Выбирая …»; null when unknown. */
  accusative: string | null;
};

const adjective = /(?:ые|ие|ый|ий|ой|ая|яя|ое|ее)$/u;
const infinitive = /(?:ть|ти|чь)(?:ся)?$/u;
const question =
  /^(?:как|сколько|где|какой|какая|какое|какие|какую|почему|зачем|что|когда|чем|кто|куда|можно|нужно|стоит)$/u;
const feminine = /(?:ка|га|ия|ота|ода|ура|еда|ба|ица|ила|лля|ёрта|вля|дажа)$/u;
/** Who works or lives: their accusative is another than the nominative. */
const animate =
  /(?:ист|ор|ер|ёр|лог|арь|атр|ник|чик|щик|кат|ант|ент|юрист|врач|мастер|тель|ец|няня|риус|бригада|собака|кошка|щенок|котёнок|щенки|собаки|кошки|дети|люди|[цн]ики|исты|торы|кат[аы]|логи)$/u;

export function readPhrase(given: string, city = ''): Phrase {
  const text = given.trim().replace(/\s+/gu, ' ').toLowerCase();
  const words = text.split(' ');
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  const unknown = { text, capital, plural: null, accusative: null };

  const first = words[0] ?? '';
  // A town in the nominative makes it a search query, not a phrase of the language.
  const isQuery = city !== '' && text.includes(city.toLowerCase());
  if (isQuery || question.test(first) || words.some((word) => infinitive.test(word) && !/сть$/u.test(word)))
    return unknown;
  if (!/^[а-яё -]+$/u.test(text) || /\b(?:цена|цены|отзывы|фото|недорого|рядом|онлайн)\b/u.test(text))
    return unknown;

  const at = words.findIndex((word) => !adjective.test(word));
  const head = words[at];
  if (head === undefined || head.length < 3) return unknown;
  const described = words.slice(0, at);
  const pluralByAdjective = described.some((word) => /(?:ые|ие)$/u.test(word));

  if (pluralByAdjective || /[ыи]$/u.test(head))
    return { text, capital, plural: true, accusative: animate.test(head) ? null : text };
  if (feminine.test(head)) {
    const turned = [...described.map(toAccusative), head.replace(/а$/u, 'у').replace(/я$/u, 'ю')];
    const accusative = animate.test(head) ? null : [...turned, ...words.slice(at + 1)].join(' ');
    return { text, capital, plural: false, accusative };
  }
  if (/[бвгджзклмнпрстфхцчшщй]$/u.test(head) || /(?:ние|тие|ство)$/u.test(head))
    return { text, capital, plural: false, accusative: animate.test(head) ? null : text };
  return unknown;
}

const toAccusative = (word: string): string => word.replace(/ая$/u, 'ую').replace(/яя$/u, 'юю');
