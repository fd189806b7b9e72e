/** What kinds of words betray why a phrase is searched for; the first that fits wins. */
const marks: readonly (readonly [RegExp, string])[] = [
  [
    /своими руками|самостоятельно|самому|инструкци|пошагов|рецепт|схем[аы]/iu,
    'сделать самому: нужен порядок действий',
  ],
  [
    / или | vs |сравнени|отличи|что лучше|рейтинг|топ[- ]?\d|лучши[ей]|отзыв/iu,
    'сравнить варианты и выбрать',
  ],
  [
    /цен[аы]|стоимость|сколько стоит|прайс|расч[её]т|калькулятор|недорого/iu,
    'узнать цену и из чего она складывается',
  ],
  [
    /купить|заказать|на заказ|под ключ|доставк|аренд|услуг|записаться|рядом|недалеко/iu,
    'выбрать, у кого заказать, и понять условия',
  ],
  [
    /^(?:как|что|чем|почему|зачем|когда|какой|какая|какие|можно ли|нужно ли|сколько)(?!\p{L})/iu,
    'разобраться в вопросе',
  ],
];

const known: Readonly<Record<string, string>> = {
  commercial: 'выбрать, у кого заказать, и понять условия',
  transactional: 'выбрать, у кого заказать, и понять условия',
  informational: 'разобраться в вопросе',
  navigational: 'найти определённую компанию или страницу',
};

/**
 * Why people search for the phrase, in words for the writer: by the phrase itself, else by what the keyword service
 * says of it, else by what the titles of the results promise.
 */
export function searchIntent(phrase: string, intent: string | undefined, titles: readonly string[]): string {
  const byWords = (text: string) => marks.find(([mark]) => mark.test(text))?.[1];
  const own = byWords(phrase) ?? known[intent ?? ''];
  if (own !== undefined) return own;
  const votes = new Map<string, number>();
  for (const title of titles) {
    const vote = byWords(title);
    if (vote !== undefined) votes.set(vote, (votes.get(vote) ?? 0) + 1);
  }
  const [most] = [...votes].sort(([, one], [, other]) => other - one);
  return most?.[0] ?? 'разобраться в теме и понять, как поступить';
}
