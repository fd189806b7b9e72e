import { words } from './russian-text.ts';

export type Niche =
  | 'pets'
  | 'beauty'
  | 'children'
  | 'medical'
  | 'legal'
  | 'finance'
  | 'furniture'
  | 'auto'
  | 'realestate'
  | 'food'
  | 'education'
  | 'it'
  | 'travel'
  | 'sport'
  | 'construction'
  | 'general';

type NicheTraits = {
  niche: Niche;
  /** Beginnings of words that give the niche away. */
  stems: readonly string[];
  /** "Your money or your life": wrong advice harms, so the text must carry this. Null elsewhere. */
  disclaimer: string | null;
  tone: string;
  pictureStyle: string;
};

/**
 * In the order of asking; the first that fits wins. Pets, beauty and children come before medical: a vet's clinic
 * is no hospital. Cars come before real estate, which claims every «ремонт». The lookaheads keep look-alikes out:
 * «банкет» is no bank, «кафель» no café, «авторский» no car.
 */
export const niches: readonly NicheTraits[] = [
  {
    niche: 'pets',
    stems: ['ветеринар', 'животн', 'зоо'],
    disclaimer: null,
    tone: 'заботливый, с любовью к животным',
    pictureStyle: 'живые снимки животных при мягком свете',
  },
  {
    niche: 'beauty',
    stems: ['красот', 'маникюр', 'парикмах', 'косметолог'],
    disclaimer: null,
    tone: 'лёгкий, доверительный',
    pictureStyle: 'пастельная студийная съёмка',
  },
  {
    niche: 'children',
    stems: ['детск', 'игруш'],
    disclaimer: null,
    tone: 'тёплый, спокойный, обращённый к родителям',
    pictureStyle: 'яркие добрые сцены при дневном свете',
  },
  {
    niche: 'medical',
    stems: ['медиц', 'клиник', 'врач', 'стомат', 'лечен'],
    disclaimer:
      'Материал носит справочный характер и не заменяет консультацию врача. Имеются противопоказания, необходима консультация специалиста.',
    tone: 'точный, сдержанный, без обещаний исцеления',
    pictureStyle: 'чистый дневной свет, светлые помещения',
  },
  {
    niche: 'legal',
    stems: ['юрид', 'юрист', 'адвокат', 'нотари', 'правов'],
    disclaimer:
      'Материал носит справочный характер и не заменяет консультацию юриста. Каждое дело требует отдельного разбора.',
    tone: 'деловой, со ссылками на нормы',
    pictureStyle: 'кабинет с тёмным деревом',
  },
  {
    niche: 'finance',
    stems: ['финанс', 'банк(?!ет)', 'инвест', 'страхов', 'кредит', 'ипоте[кч]', 'бухгалтер'],
    disclaimer:
      'Материал носит справочный характер и не заменяет консультацию финансового специалиста. Решения о деньгах принимайте с учётом своих обстоятельств.',
    tone: 'взвешенный, с числами и оговорками',
    pictureStyle: 'сине-белая гамма',
  },
  {
    niche: 'furniture',
    stems: ['мебел', 'кухн', 'шкаф'],
    disclaimer: null,
    tone: 'практичный, с размерами и материалами',
    pictureStyle: 'мебель в жилых интерьерах',
  },
  {
    niche: 'auto',
    stems: ['авто(?!р(?:ск|ств|ов|ом|[аыуе]?$))', 'машин', 'шин(?!ш)', 'гараж'],
    disclaimer: null,
    tone: 'уверенный, технический',
    pictureStyle: 'динамика и блики на кузове',
  },
  {
    niche: 'realestate',
    stems: ['недвижим', 'квартир', 'ремонт', 'строительств'],
    disclaimer: null,
    tone: 'обстоятельный, с числами',
    pictureStyle: 'широкие светлые планы',
  },
  {
    niche: 'food',
    stems: ['ресторан', 'кафе(?!л)', 'кулинар', 'кондитер'],
    disclaimer: null,
    tone: 'аппетитный, живой',
    pictureStyle: 'тёплый свет, малая глубина резкости',
  },
  {
    niche: 'education',
    stems: ['образован', 'курс', 'обучен', 'школ', 'репетитор'],
    disclaimer: null,
    tone: 'ясный, ободряющий',
    pictureStyle: 'занятия и рабочие места при естественном свете',
  },
  {
    niche: 'it',
    stems: ['программ', 'разработ', 'сайт', 'веб'],
    disclaimer: null,
    tone: 'предметный, без жаргона',
    pictureStyle: 'сдержанная графика, рабочие экраны',
  },
  {
    niche: 'travel',
    stems: ['туризм', 'турист', 'путешеств', 'отел', 'гостиниц'],
    disclaimer: null,
    tone: 'увлекающий, с подробностями мест',
    pictureStyle: 'пейзажи в золотой час',
  },
  {
    niche: 'sport',
    stems: ['спорт', 'фитнес', 'йог(?!урт)'],
    disclaimer: null,
    tone: 'энергичный',
    pictureStyle: 'движение, контрастный свет',
  },
  {
    niche: 'construction',
    stems: ['стройматериал', 'бетон', 'кирпич'],
    disclaimer: null,
    tone: 'практичный, с нормами и расходом материалов',
    pictureStyle: 'стройплощадка',
  },
];

const general: NicheTraits = {
  niche: 'general',
  stems: [],
  disclaimer: null,
  tone: 'дружелюбный, понятный',
  pictureStyle: 'естественный свет, живые сцены',
};

export function detectNiche(specialization: string): NicheTraits {
  const spoken = words(specialization.toLowerCase());
  return (
    niches.find(({ stems }) => {
      const begins = new RegExp(`^(?:${stems.join('|')})`, 'u');
      return spoken.some((word) => begins.test(word));
    }) ?? general
  );
}

export const isYmyl = ({ disclaimer }: NicheTraits): boolean => disclaimer !== null;

/** The model was asked for a disclaimer; when it forgot, code adds the fixed one. */
export function needsDisclaimer(traits: NicheTraits, text: string): boolean {
  return (
    isYmyl(traits) &&
    !/справочный характер|не (?:является|заменяет) [^.]*(?:консультаци|рекомендаци)/iu.test(text)
  );
}
