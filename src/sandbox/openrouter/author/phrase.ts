import { capitalised } from '../../../russian.ts';
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

/** «Зимние» is one, «остекление» is not. */
const adjective = /(?<!ен|ан|ян|т)ие$|(?:ые|ый|ий|ой|ая|яя|ое|ее)$/u;
const infinitive = /(?:ть|ти|чь)(?:ся)?$/u;
const question =
  /^(?:как|сколько|где|какой|какая|какое|какие|какую|почему|зачем|что|когда|чем|кто|куда|можно|нужно|стоит)$/u;
const feminine = /(?:ка|га|ия|ота|ода|ура|еда|ба|ица|ила|лля|ёрта|вля|дажа)$/u;
/** Who works or lives: their accusative is another than the nominative. */
const animate =
  /(?:ист|ор|ер|ёр|лог|граф|рик|перт|ар|арь|атр|ник|чик|щик|кат|ант|ент|врач|тель|ец|няня|риус|бригада|собака|кошка|щенок|[цн]ики|чики|щики|тели|еры|ёры|исты|торы|каты|логи|графы|врачи|щенки|собаки|кошки|дети|люди)$/u;

/** Never declined, so their ending tells nothing. */
const unchanging = new Set(['такси', 'жалюзи', 'суши']);
const searchWords = new Set(['цена', 'цены', 'отзывы', 'фото', 'недорого', 'рядом', 'онлайн']);

export function readPhrase(given: string, city = ''): Phrase {
  const text = properlyWritten(given.trim().replace(/\s+/gu, ' '));
  const words = text.toLowerCase().split(' ');
  const capital = capitalised(text);
  const unknown = { text, capital, plural: null, accusative: null };

  const first = words[0] ?? '';
  // A town in the nominative makes it a search query, not a phrase of the language.
  const isQuery = city !== '' && words.includes(city.toLowerCase());
  if (isQuery || question.test(first) || words.some((word) => infinitive.test(word) && !/сть$/u.test(word)))
    return unknown;
  if (!/^[а-яё -]+$/iu.test(text) || words.some((word) => searchWords.has(word))) return unknown;

  const at = words.findIndex((word) => !adjective.test(word));
  const head = words[at];
  if (head === undefined || head.length < 3 || unchanging.has(head)) return unknown;
  const described = words.slice(0, at);
  const pluralByAdjective = described.some((word) => /(?:ые|ие)$/u.test(word));

  if (pluralByAdjective || /[ыи]$/u.test(head))
    return { text, capital, plural: true, accusative: animate.test(head) ? null : text };
  if (feminine.test(head)) {
    const turned = [...described.map(toAccusative), head.replace(/а$/u, 'у').replace(/я$/u, 'ю')];
    const accusative = animate.test(head) ? null : [...turned, ...text.split(' ').slice(at + 1)].join(' ');
    return { text, capital, plural: false, accusative };
  }
  if (/[бвгджзклмнпрстфхцчшщй]$/u.test(head) || /(?:ние|тие|ство)$/u.test(head))
    return { text, capital, plural: false, accusative: animate.test(head) ? null : text };
  return unknown;
}

const toAccusative = (word: string): string => word.replace(/ая$/u, 'ую').replace(/яя$/u, 'юю');

const places =
  /^(?:москв|петербург|казан|екатеринбург|новосибирск|самар|краснодар|ростов|воронеж|перм|уф|тюмен|омск|сочи|крым|алта[йяею]|байкал|карели|кавказ|росси|турци|минск|калининград|иркутск|владивосток)(?:[аеуыиья]|ом|ой|ью|ей)?$/u;
const abbreviations = [
  ...['пвх', 'мдф', 'лдсп', 'егэ', 'огэ', 'ип', 'ооо', 'ндс', 'спб', 'мрт', 'узи', 'акпп', 'мкпп', 'осаго'],
  ...['seo', 'it', 'crm', 'erp', 'b2b', 'b2c'],
];
/** Written in capitals in the request: kept. */
const isAbbreviation = (word: string): boolean => /^\p{Lu}[\p{Lu}\p{N}]+$/u.test(word);
const written = new Map<string, string>([
  ...abbreviations.map((word) => [word, word.toUpperCase()] as const),
  ['iphone', 'iPhone'],
]);

/** People type without capitals; an editor puts them back where he knows the word. */
const properlyWritten = (text: string): string =>
  text
    .split(' ')
    .map((word, i) => {
      const lower = word.toLowerCase();
      if (places.test(lower)) return capitalised(lower);
      return written.get(lower) ?? (i === 0 && !isAbbreviation(word) ? lower : word);
    })
    .join(' ');
