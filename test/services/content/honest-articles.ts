import type { ArticleText } from '../../../src/services/content/render-article.ts';

/** What a reader must find again in the published page. */
export type Honest = ArticleText & {
  name: string;
  headings: string[];
  sentences: string[];
  links: string[];
  pictures: { src: string; alt: string; caption: string }[];
  cells: string[];
  data: object[];
};

const subjects = ['кухню', 'шторы', 'ноутбук', 'стоматолога', 'шины', 'репетитора', 'велосипед', 'краску'];
const aspects = [
  'Цена и гарантия',
  'Материалы',
  'Частые ошибки',
  'Сроки',
  'Отзывы',
  'Уход',
  'Вопросы и ответы',
];
const inlines = ['**важно**', '*обычно*', '~~дорого~~', '`код 5 < 7`', '«кавычки» & амперсанд', '5 > 3'];

/** One article for every number, the same each time: sections, and in each one block of every kind in turn. */
export function grownArticle(seed: number): Honest {
  const pick = <T>(from: readonly T[], step: number): T => from[(seed * 7 + step * 3) % from.length]!;
  const title = `Как выбрать ${pick(subjects, 0)}: совет № ${seed}`;
  const article: Honest = { ...empty, ...fresh(), name: `№ ${seed}`, title };
  const lines: string[] = [];

  for (let section = 0; section < 2 + (seed % 5); section++) {
    const heading = `${pick(aspects, section)} ${section + 1}`;
    article.headings.push(heading);
    const sentence = `Раздел ${section + 1} статьи ${seed} говорит о простом`;
    article.sentences.push(sentence);
    lines.push(`## ${heading}`, `${sentence}: ${pick(inlines, section)}.`, block(article, seed, section));
  }
  article.data.push({
    '@context': 'https://schema.org',
    '@type': 'Article',
    headline: title,
    note: '</script> & <b>',
  });
  return { ...article, markdown: lines.join('\n\n') };
}

function block(article: Honest, seed: number, section: number): string {
  const mark = `${seed}-${section}`;
  const remember = (sentence: string) => {
    article.sentences.push(sentence);
    return sentence;
  };
  const kinds = [
    () =>
      `- ${remember(`первый ${mark}`)}\n- ${remember(`второй ${mark}`)}\n  - ${remember(`вложенный ${mark}`)}`,
    () => `3. ${remember(`третий ${mark}`)}\n4. ${remember(`четвёртый ${mark}`)}`,
    () => `> ${remember(`цитата ${mark}`)}`,
    () => {
      article.cells.push('Товар', 'Цена', `модель ${mark}`, '1 200 ₽');
      return `| Товар | Цена |\n|:---|---:|\n| модель ${mark} | 1 200 ₽ |`;
    },
    () => {
      const picture = {
        src: `https://cdn.example/${mark}.webp?a=1&b=2`,
        alt: `вид ${mark}`,
        caption: `Подпись ${mark}`,
      };
      article.pictures.push(picture);
      return `![${picture.alt}](${picture.src} "${picture.caption}")`;
    },
    () => {
      const link = `https://shop.example/catalog/${mark}?utm=a&b=c#top`;
      article.links.push(link, 'tel:+74950000000', 'mailto:info@shop.example');
      return `[каталог](${link}), [звонок](tel:+74950000000), [письмо](mailto:info@shop.example)`;
    },
    () => `\`\`\`html\n${remember(`<div class="x">${mark}</div>`)}\n\`\`\``,
    () => {
      const heading = `Подробнее ${mark}`;
      article.headings.push(heading);
      return `### ${heading}\n\n${remember(`Мелочи ${mark}`)}`;
    },
  ];
  return kinds[(seed + section) % kinds.length]!();
}

const empty = { markdown: '', name: '', title: '' };
const fresh = () => ({
  headings: [] as string[],
  sentences: [] as string[],
  links: [] as string[],
  pictures: [] as Honest['pictures'],
  cells: [] as string[],
  data: [] as object[],
});

export const writtenArticles: Honest[] = [
  {
    ...fresh(),
    name: 'кухня с таблицей цен',
    title: 'Кухня на заказ: сколько стоит & из чего складывается цена',
    markdown: `Кухня на заказ стоит от 45 000 ₽ за погонный метр. Разберём, из чего складывается **цена**.

## Материалы фасадов

| Материал | Срок службы | Цена, ₽/м² |
|---|:---:|---:|
| МДФ в плёнке | 7–10 лет | от 4 500 |
| Массив дуба | 25+ лет | от 18 000 |

## Размеры и планировка

1. Измерьте стены по *трём* высотам.
2. Отметьте розетки и воду.

![Угловая кухня в светлых тонах](https://cdn.example/kukhnya-1.webp "Угловая кухня, 9 м²")

### Треугольник «мойка — плита — холодильник»

Сумма сторон — не больше 6 м, если a < b и b > c.

## Где заказать

Смотрите [каталог кухонь](https://kuhni.example/catalog?type=corner&style=loft) или [вопросы ниже](#voprosy).
`,
    headings: ['Материалы фасадов', 'Размеры и планировка', 'Где заказать'],
    sentences: ['Разберём, из чего складывается цена.', 'Отметьте розетки и воду.', 'если a < b и b > c.'],
    links: ['https://kuhni.example/catalog?type=corner&style=loft', '#voprosy'],
    pictures: [
      {
        src: 'https://cdn.example/kukhnya-1.webp',
        alt: 'Угловая кухня в светлых тонах',
        caption: 'Угловая кухня, 9 м²',
      },
    ],
    cells: [
      'Материал',
      'Срок службы',
      'Цена, ₽/м²',
      'МДФ в плёнке',
      '7–10 лет',
      'от 4 500',
      'Массив дуба',
      '25+ лет',
      'от 18 000',
    ],
    data: [],
  },
  {
    ...fresh(),
    name: 'вопросы о прививках с данными FAQ',
    title: 'Прививки щенку: календарь и ответы ветеринара',
    markdown: `## Вопросы и ответы

### Когда делать первую прививку?

В 8–9 недель, *после* дегельминтизации.

### Можно ли гулять сразу?

> Нет: карантин длится 10–14 дней.

### Сколько это стоит?

От 1 500 ₽.[^1] Не заменяет консультацию специалиста.
`,
    headings: [
      'Вопросы и ответы',
      'Когда делать первую прививку?',
      'Можно ли гулять сразу?',
      'Сколько это стоит?',
    ],
    sentences: [
      'В 8–9 недель, после дегельминтизации.',
      'Нет: карантин длится 10–14 дней.',
      'Не заменяет консультацию',
    ],
    data: [
      {
        '@context': 'https://schema.org',
        '@type': 'FAQPage',
        mainEntity: [
          {
            '@type': 'Question',
            name: 'Можно ли гулять сразу?',
            acceptedAnswer: { '@type': 'Answer', text: 'Нет: 5 < 10 & "карантин" <b>важен</b></script>' },
          },
        ],
      },
    ],
  },
  {
    ...fresh(),
    name: 'разработка сайта с кодом',
    title: 'Как ускорить сайт на WordPress',
    markdown: `## Title и Links

Тег \`<title>\` пишут в \`<head>\`.

\`\`\`php
<?php if ($a < $b && $c) { echo "<script>x</script>"; } ?>
\`\`\`

## Кэш

Строка с переносом  
и продолжением. Формула: 2 * 3 * 4, почта seo_master_bot и C#.

---

![](https://cdn.example/chart.png)

[![График](https://cdn.example/speed.png)](https://speed.example/)
`,
    headings: ['Title и Links', 'Кэш'],
    sentences: [
      'Тег <title> пишут в <head>.',
      '<?php if ($a < $b && $c) { echo "<script>x</script>"; } ?>',
      '2 * 3 * 4',
    ],
    links: ['https://speed.example/'],
    pictures: [
      { src: 'https://cdn.example/chart.png', alt: '', caption: '' },
      { src: 'https://cdn.example/speed.png', alt: 'График', caption: 'График' },
    ],
  },
];
