import { type Cluster, isFlatList, type Keywords, type Phrase } from '../quality/choose-cluster.ts';

const header = [
  'Кластер',
  'Тип',
  'Главная фраза',
  'Фраза',
  'Запросов в месяц',
  'Сложность',
  'CPC, $',
  'Намерение',
  'Добавила нейросеть',
];

const typeNames = { article: 'статья', product_page: 'страница товара или услуги' } as const;
const intentNames: Readonly<Record<string, string>> = {
  commercial: 'коммерческое',
  informational: 'информационное',
};

/** For a Russian Excel: it wants the byte order mark, semicolons and a decimal comma. */
export function keywordsCsv(keywords: Keywords): Buffer {
  const rows = isFlatList(keywords)
    ? keywords.map((phrase) => ['', '', '', ...phraseCells(phrase)])
    : (keywords as readonly Cluster[]).flatMap((cluster) =>
        cluster.phrases.map((phrase) => [
          cluster.cluster_name,
          typeNames[cluster.cluster_type],
          cluster.main_phrase,
          ...phraseCells(phrase),
        ]),
      );
  const lines = [header, ...rows].map((cells) => cells.map(cell).join(';'));
  return Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`);
}

const phraseCells = ({ phrase, volume, difficulty, cpc, intent, ai_suggested }: Phrase) => [
  phrase,
  volume,
  difficulty,
  cpc,
  intentNames[intent ?? ''] ?? '',
  ai_suggested ? 'да' : '',
];

function cell(value: string | number | null): string {
  if (typeof value === 'number') return String(value).replace('.', ',');
  const text = harmless(value ?? '');
  return /[";\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Spreadsheet programs run a cell that begins like a formula. */
const harmless = (text: string): string => (/^[=+\-@\t\r]/u.test(text) ? `'${text}` : text);
