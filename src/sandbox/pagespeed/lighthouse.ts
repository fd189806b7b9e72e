import { draw } from '../dataforseo/demand.ts';

type Audit = { title: string; description: string; mode: 'numeric' | 'binary' | 'informative' };

const audits: Readonly<Record<string, Audit>> = {
  'largest-contentful-paint': {
    title: 'Отрисовка самого крупного контента',
    description:
      'Показывает, когда появился самый большой элемент экрана. [Подробнее](https://web.dev/lcp/).',
    mode: 'numeric',
  },
  'unused-css-rules': {
    title: 'Удалите неиспользуемый код CSS',
    description:
      'Уберите правила, которые не нужны странице, чтобы она загружалась быстрее. [Подробнее](https://web.dev/css/).',
    mode: 'numeric',
  },
  'uses-optimized-images': {
    title: 'Настройте эффективную кодировку изображений',
    description: 'Сжатые картинки загружаются быстрее и расходуют меньше трафика.',
    mode: 'numeric',
  },
  'image-alt': {
    title: 'У изображений нет атрибута [alt]',
    description: 'Добавьте краткое описание к каждой картинке: его читают вслух и учитывают в поиске.',
    mode: 'binary',
  },
  'meta-description': {
    title: 'В документе нет метаописания',
    description: 'Метаописание показывают в результатах поиска под заголовком.',
    mode: 'binary',
  },
  'tap-targets': {
    title: 'Кнопки расположены слишком близко',
    description: 'По элементам должно быть удобно нажимать пальцем.',
    mode: 'numeric',
  },
  'errors-in-console': {
    title: 'В консоли есть ошибки браузера',
    description: 'Ошибки говорят о нерешённых проблемах на странице.',
    mode: 'binary',
  },
  'network-requests': {
    title: 'Сетевые запросы',
    description: 'Список запросов страницы.',
    mode: 'informative',
  },
};

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

/** What Lighthouse would find, the same for the same address. */
export function lighthouseResult(url: string, categories: readonly string[]) {
  const asked = CATEGORIES.filter((category) => categories.includes(category));
  return {
    requestedUrl: url,
    finalUrl: url,
    lighthouseVersion: '12.8.0',
    fetchTime: '2026-11-01T09:00:00.000Z',
    categories: Object.fromEntries(
      asked.map((id) => [id, { id, title: id, score: (55 + (draw(`${url} ${id}`) % 46)) / 100 }]),
    ),
    audits: Object.fromEntries(Object.entries(audits).map(([id, audit]) => [id, auditOf(url, id, audit)])),
  };
}

function auditOf(url: string, id: string, { title, description, mode }: Audit) {
  const lot = draw(`${url} ${id}`);
  const scores = { numeric: (lot % 101) / 100, binary: lot % 2, informative: null };
  return { id, title, description, score: scores[mode], scoreDisplayMode: mode };
}

const metrics = {
  LARGEST_CONTENTFUL_PAINT_MS: [1_400, 4_600],
  INTERACTION_TO_NEXT_PAINT: [90, 420],
  CUMULATIVE_LAYOUT_SHIFT_SCORE: [1, 28],
  EXPERIMENTAL_TIME_TO_FIRST_BYTE: [180, 1_500],
} as const;

/** What visitors of a large site measured. */
export const loadingExperience = (url: string) => ({
  id: url,
  metrics: Object.fromEntries(
    Object.entries(metrics).map(([name, [least, most]]) => [
      name,
      {
        percentile: least + (draw(`${url} ${name}`) % (most - least)),
        category: 'AVERAGE',
        distributions: [],
      },
    ]),
  ),
  overall_category: 'AVERAGE',
});
