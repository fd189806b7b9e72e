import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Words that were settled against, and what is said instead: the list with its reasons is `src/screens/README.md`. */
const discarded: readonly (readonly [RegExp, string])[] = [
  [/превью/iu, 'предпросмотр'],
  [/платформ/iu, 'площадка'],
  [/изображен|иллюстрац/iu, 'картинка'],
  [/интент/iu, 'смысл запроса'],
  [/(?<![a-z])CPC(?![a-z])/iu, 'цена клика'],
  [/(?<![\p{L}{.$(])URL(?![\p{L}(])/u, 'адрес'],
  [/Процесс \(/u, 'Прервано: …'],
  [/(?<!\p{L})Тема:/u, 'Категория:'],
  [/ключевик|(?<!\p{L})ключи(?!\p{L})/iu, 'фразы'],
  [/(?<!«)интеграци/iu, 'подключение'], // «…» is the label of a button elsewhere,
  [/кредит(?!к)/iu, 'токены'],
  [/(?<!\p{L})(LLM|GPT)(?!\p{L})/u, 'нейросеть'],
  [/(?<!\p{L})(успешно|данный|данная|данное|осуществл\p{L}*|произвед[её]н\p{L}*)(?!\p{L})/iu, 'plain words'],
  [/Ошибка!/u, 'what went wrong'],
  [/button\([`'][^`']*(?<!\p{L})тем(а|у|ы|е)(?!\p{L})/iu, 'категория'],
  [/(?<![\p{L}-])верси[яюией]/iu, 'вариант'],
  [/(?<!\p{L})медиа(?!\p{L})/iu, 'фото'],
  [/(?<!\p{L})Stars(?!\p{L})(?=[^(}]*[`'])/u, 'звёзды'],
  [/возвращено:? \$/iu, 'tokensReturned'],
  [/(?<!\p{L})(списано|вернулось|вернулся|списан) \$\{tokens\(/iu, 'tokensCharged, tokensReturned'],
  [/(?<!\p{L})(не больше|до|около|от) \$\{tokens\(/iu, 'ofTokens'],
  [/файл[^`]*(?<!\p{L})выше(?!\p{L})/iu, 'a file comes below its screen'],
  // «321 токен вернутся»: the verb has to agree with any number.
  [/\p{L}(ут|ют|ят)(ся)? \$\{(tokens|number)\(/u, 'вернётся 321 токен'],
  [/\$\{(tokens|number)\([^}]*\} (\p{L}+ )*верн(утся|улись)/u, 'вернётся 321 токен'],
];

/** Sentences of the specification, to the letter. */
const quoted = [
  'Сайт недоступен. Проверьте URL',
  'Введите корректный URL или нажмите Пропустить',
  'Введите корректный URL сайта конкурента',
  'Группирую по интенту...',
  'Группирую фразы по поисковому интенту... (10 сек)',
  'Обогащаю данные: объём, сложность, CPC... (2 сек)',
];

describe('what people read', () => {
  it('uses one word for one thing', () => {
    const lines = linesForPeople();
    const found = lines.flatMap(({ where, text }) =>
      discarded.flatMap(([word, instead]) => (word.test(text) ? [`${where}: ${text} → ${instead}`] : [])),
    );
    expect(lines.length).toBeGreaterThan(500);
    expect(found).toEqual([]);
  });

  it('quotes the specification only where somebody reads it', () => {
    const all = sources('src')
      .map(({ source }) => source)
      .join('\n');
    expect(quoted.filter((sentence) => !all.includes(sentence))).toEqual(['Группирую по интенту...']);
  });
});

/** All of the screens; of everything else what an error says to the person. */
function linesForPeople(): { where: string; text: string }[] {
  return sources('src').flatMap(({ file, source }) => {
    const isScreen = file.startsWith('src/screens/') || file === 'src/errors.ts';
    return withoutComments(source)
      .split('\n')
      .map((text, index) => ({ where: `${file}:${index + 1}`, text: withoutQuotes(text).trim() }))
      .filter(({ text }) => /[а-яё]/iu.test(text) && (isScreen || /userMessage|told:/u.test(text)));
  });
}

function sources(folder: string): { file: string; source: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('sandbox'))
    .map((file) => ({ file: join(folder, file), source: readFileSync(join(folder, file), 'utf8') }));
}

const withoutComments = (source: string): string =>
  source.replace(/\/\*.*?\*\//gsu, (comment) => comment.replace(/[^\n]/gu, '')).replace(/^\s*\/\/.*$/gmu, '');

const withoutQuotes = (text: string): string =>
  quoted.reduce((rest, sentence) => rest.replaceAll(sentence, ''), text);
