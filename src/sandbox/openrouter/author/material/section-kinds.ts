/** What a section of an article can be about. */
export const sectionKinds = [
  'choose',
  'compare',
  'price',
  'order',
  'mistakes',
  'care',
  'contract',
  'timing',
] as const;

export type SectionKind = (typeof sectionKinds)[number];

/** By which words a foreign heading betrays its kind; the first that fits wins. */
export const kindMarks: Readonly<Record<SectionKind, RegExp>> = {
  mistakes: /ошиб|промах|риск|обман|подвох|чего не/iu,
  price: /цен|стоимост|стоит|бюджет|деньг|тариф|смет|плат/iu,
  compare: /сравн|вид|тип|вариант|отлич|материал|какие|что лучше|разниц/iu,
  contract: /договор|гаранти|документ|закон|бумаг/iu,
  timing: /срок|когда|сезон|врем|долго/iu,
  care: /уход|служ|после|храни|сохран|эксплуат|польз/iu,
  order: /этап|поряд|шаг|проход|происход|процесс|как работа|как идёт/iu,
  choose: /выб|подбор|с чего нач|критери|на что смотр|как найти|совет/iu,
};

/** `{Phrase}` takes the main phrase; headings without it serve the sections that must not repeat it. */
export const sectionTitles: Readonly<Record<SectionKind, readonly string[]>> = {
  choose: ['С чего начать выбор', 'Как выбрать и не пожалеть', 'На что смотреть в первую очередь'],
  compare: [
    'Какие бывают варианты и чем отличаются',
    'Сравниваем варианты без спешки',
    'Что с чем сравнивать',
  ],
  price: ['Из чего складывается цена', 'Деньги: за что вы платите', 'Сколько стоит и почему так'],
  order: ['Как всё проходит: шаг за шагом', 'Порядок работы от звонка до итога', 'Что будет происходить'],
  mistakes: [
    'Ошибки, за которые платят дважды',
    'Где чаще всего ошибаются',
    'Промахи, которых легко избежать',
  ],
  care: ['Что делать после', 'Чтобы результат служил долго', 'Как сохранить то, что получилось'],
  contract: ['Договор, гарантия и бумаги', 'Что закрепить на бумаге', 'Бумаги, которые берегут нервы'],
  timing: ['Сроки: сколько ждать и как ускорить', 'Когда начинать и сколько ждать', 'Время, сезон и очередь'],
};

export const sectionTitlesWithPhrase: Readonly<Record<SectionKind, readonly string[]>> = {
  choose: ['{Phrase}: с чего начать', '{Phrase}: на что смотреть при выборе'],
  compare: ['{Phrase}: какие есть варианты', '{Phrase}: сравнение в одной таблице'],
  price: ['{Phrase}: из чего складывается цена', '{Phrase}: за что вы платите'],
  order: ['{Phrase}: как всё проходит', '{Phrase}: порядок действий'],
  mistakes: ['{Phrase}: где ошибаются чаще всего', '{Phrase}: знакомые промахи'],
  care: ['{Phrase}: что важно после', '{Phrase}: как сохранить результат'],
  contract: ['{Phrase}: что закрепить в договоре', '{Phrase}: гарантия и бумаги'],
  timing: ['{Phrase}: сроки и сезон', '{Phrase}: когда начинать'],
};
