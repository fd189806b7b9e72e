import { readFileSync } from 'node:fs';
import { writeAnswer } from '../../src/sandbox/openrouter/author/write-answer.ts';
import type { ArticleAnswer } from '../../src/services/ai/answers.ts';
import { renderArticle } from '../../src/services/content/render-article.ts';
import type { Niche } from '../../src/services/quality/niches.ts';
import { sentences, words } from '../../src/services/quality/russian-text.ts';
import type { Article } from '../../src/services/quality/score-article.ts';
import { readTopic, type Topic } from '../../src/services/quality/topic.ts';

/** Ten trades, six phrases each: what the judge of articles is calibrated on. README.md says how it was made. */
export const topics: Readonly<Partial<Record<Niche, readonly string[]>>> = {
  furniture: [
    'кухни на заказ',
    'шкаф-купе на заказ',
    'гардеробная в нишу',
    'диван для гостиной',
    'мебель из массива',
    'детская мебель',
  ],
  realestate: [
    'ремонт квартир под ключ',
    'пластиковые окна',
    'натяжные потолки',
    'межкомнатные двери',
    'ремонт ванной',
    'остекление балкона',
  ],
  medical: [
    'имплантация зубов',
    'лечение кариеса',
    'отбеливание зубов',
    'брекеты взрослым',
    'лечебный массаж',
    'удаление зуба мудрости',
  ],
  legal: [
    'адвокат по разводам',
    'раздел имущества',
    'оформление наследства',
    'банкротство физических лиц',
    'юрист по трудовым спорам',
    'взыскание долга',
  ],
  auto: [
    'шиномонтаж',
    'замена масла',
    'диагностика автомобиля',
    'кузовной ремонт',
    'аренда автовышки',
    'ремонт подвески',
  ],
  food: [
    'торт на заказ',
    'кофейня рядом',
    'банкет на свадьбу',
    'доставка обедов',
    'детское меню',
    'пироги на заказ',
  ],
  beauty: [
    'маникюр',
    'окрашивание волос',
    'наращивание ресниц',
    'мужская стрижка',
    'педикюр',
    'перманент бровей',
  ],
  education: [
    'английский для дошкольников',
    'подготовка к егэ',
    'курсы немецкого',
    'репетитор по математике',
    'курсы рисования',
    'английский онлайн',
  ],
  it: [
    'разработка сайтов',
    'интернет-магазин под ключ',
    'продвижение сайта',
    'чат-бот для бизнеса',
    'мобильное приложение',
    'лендинг',
  ],
  pets: [
    'груминг собак',
    'ветеринарная клиника',
    'стрижка кошек',
    'прививки щенку',
    'передержка собак',
    'чистка зубов собаке',
  ],
};

export type Sample = { niche: Niche; phrase: string; kind: string; article: Article };

/** What was found in search about the trade: texts by another hand than the recorded articles. */
export function topicOf(niche: Niche): Topic {
  const [text = '', ...questions] = readFileSync(
    new URL(`pages/${niche}.txt`, import.meta.url),
    'utf8',
  ).split('\n?? ');
  return readTopic(
    text.split('\n===\n'),
    questions.map((question) => question.trim()),
  );
}

export function written(niche: Niche, phrase: string, turn = 0): ArticleAnswer {
  const values = {
    company_name: 'Вертикаль',
    specialization: phrase,
    main_phrase: phrase,
    niche_type: niche,
    words_min: 1_500,
    words_max: 2_000,
    images_count: 3,
    website_url: 'https://vertikal.example',
    internal_links: 'https://vertikal.example/tseny — цены\nhttps://vertikal.example/raboty — работы',
    key_points: '3–5',
    answer_words: '40–60',
  };
  const user = Object.entries(values)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('\n');
  return writeAnswer({ task: 'article', system: '', user, turn }) as ArticleAnswer;
}

export function toArticle(niche: Niche, phrase: string, answer: ArticleAnswer): Article {
  return {
    html: renderArticle({ title: answer.title, markdown: answer.content_markdown }).html,
    mainPhrase: phrase,
    secondaryPhrases: [],
    seoTitle: answer.seo_title,
    metaDescription: answer.meta_description,
    topic: topicOf(niche),
  };
}

const each = <Made>(make: (niche: Niche, phrase: string, i: number) => Made): Made[] =>
  Object.entries(topics).flatMap(([niche, phrases]) =>
    phrases.map((phrase, i) => make(niche as Niche, phrase, i)),
  );

export const goodSamples = (): Sample[] =>
  each((niche, phrase) => ({
    niche,
    phrase,
    kind: 'good',
    article: toArticle(niche, phrase, written(niche, phrase)),
  }));

type Spoil = (answer: ArticleAnswer, phrase: string, niche: Niche) => ArticleAnswer;
const body = (answer: ArticleAnswer, change: (markdown: string) => string): ArticleAnswer => ({
  ...answer,
  content_markdown: change(answer.content_markdown),
});
const isProse = (block: string) => /^[А-ЯЁA-Z«]/u.test(block) && words(block).length > 8;
const blocks = (markdown: string, change: (block: string, i: number) => string) =>
  markdown
    .split('\n\n')
    .map((block, i) => (isProse(block) ? change(block, i) : block))
    .join('\n\n');

/** Programs that do to a good article what bad writers and broken models do. */
export const spoils: Readonly<Record<string, Spoil>> = {
  'random words': (answer, phrase) =>
    body(answer, (markdown) => {
      const all = shuffled(words(markdown));
      const made = Array.from({ length: 190 }, (_, i) =>
        sentence([
          ...(i % 8 === 0 ? [phrase] : []),
          ...all.slice((i * 8) % all.length, ((i * 8) % all.length) + 8),
        ]),
      );
      return sectioned(made, 12);
    }),
  'one paragraph sixty times': (answer) =>
    body(answer, (markdown) => {
      const one = markdown.split('\n\n').filter(isProse)[1]!;
      return sectioned(
        Array.from({ length: 60 }, () => one),
        12,
      );
    }),
  stuffed: (answer, phrase) =>
    body(answer, (markdown) =>
      blocks(markdown, (block) =>
        sentences(block)
          .map((said) => `${said.replace(/[.!?]$/u, '')}, ${phrase}.`)
          .join(' '),
      ),
    ),
  'about something else': (answer, phrase, niche) => {
    const other: Niche = niche === 'food' ? 'auto' : 'food';
    const foreign = written(other, other === 'food' ? 'пироги на заказ' : 'шиномонтаж');
    return body(answer, () => foreign.content_markdown.replace(/(?:Пироги на заказ|Шиномонтаж)/giu, phrase));
  },
  'shuffled inside sentences': (answer) =>
    body(answer, (markdown) =>
      blocks(markdown, (block) =>
        sentences(block)
          .map((said) => sentence(shuffled(words(said))))
          .join(' '),
      ),
    ),
  thin: (answer) =>
    body(answer, (markdown) =>
      markdown
        .split('\n\n')
        .filter((block) => isProse(block) || block.startsWith('## '))
        .slice(0, 5)
        .join('\n\n'),
    ),
  water: (answer, phrase) => body(answer, () => sectioned(watered(phrase), 6)),
  'half about something else': (answer, _phrase, niche) => {
    const foreign = written(
      niche === 'food' ? 'auto' : 'food',
      niche === 'food' ? 'шиномонтаж' : 'пироги на заказ',
    )
      .content_markdown.split('\n\n')
      .filter(isProse);
    return body(answer, (markdown) =>
      blocks(markdown, (block, i) => (i > 6 ? foreign[i % foreign.length]! : block)),
    );
  },
};

/** Two of each phrase's eight ways to be spoiled, every way in every trade. */
export const spoiledSamples = (): Sample[] =>
  each((niche, phrase, i) => {
    const kinds = Object.keys(spoils);
    return [kinds[i % kinds.length]!, kinds[(i + 4) % kinds.length]!].map((kind) => ({
      niche,
      phrase,
      kind,
      article: toArticle(niche, phrase, spoils[kind]!(written(niche, phrase), phrase, niche)),
    }));
  }).flat();

/** The chance that a good article scores above a spoiled one; a tie counts half. */
export function areaUnderCurve(good: readonly number[], spoiled: readonly number[]): number {
  const wins = good.flatMap((one) =>
    spoiled.map((other): number => (one > other ? 1 : one === other ? 0.5 : 0)),
  );
  return wins.reduce((sum, win) => sum + win, 0) / wins.length;
}

const sectioned = (paragraphs: readonly string[], perSection: number): string =>
  paragraphs
    .flatMap((paragraph, i) =>
      i % perSection === 0 ? [`## Раздел ${1 + i / perSection}`, paragraph] : [paragraph],
    )
    .join('\n\n');

const sentence = (parts: readonly string[]): string => {
  const text = parts.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
};

/** The same every time: a corpus that changes between two runs measures nothing. */
function shuffled<Item>(list: readonly Item[]): Item[] {
  const items = [...list];
  let state = 7;
  for (let i = items.length - 1; i > 0; i -= 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const other = state % (i + 1);
    [items[i], items[other]] = [items[other]!, items[i]!];
  }
  return items;
}

const watered = (phrase: string): string[] => {
  const openings = [
    'Как известно,',
    'В современном мире',
    'На сегодняшний день',
    'Не секрет, что',
    'Само собой,',
  ];
  const middles = ['вопрос', 'выбор', 'подход', 'результат', 'процесс', 'опыт'];
  const ends = [
    'играет важную роль для каждого человека',
    'является залогом успеха и уверенности',
    'требует внимания настоящих специалистов',
    'позволяет получить уникальную возможность',
    'решается в кратчайшие сроки командой профессионалов',
  ];
  return openings.flatMap((opening) =>
    middles.flatMap((middle) =>
      ends.map(
        (end) =>
          `${opening} ${middle} в теме «${phrase}» ${end}. Мы предлагаем индивидуальный подход и высокое качество.`,
      ),
    ),
  );
};
