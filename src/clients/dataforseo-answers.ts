import { z } from 'zod';
import type { PhraseData } from '../services/keywords/keyword-data.ts';

export const OK = 20_000;

export const envelope = z.object({
  status_code: z.number(),
  status_message: z.string().nullish(),
  cost: z.number().nullish(),
  tasks: z
    .array(
      z.object({
        status_code: z.number(),
        status_message: z.string().nullish(),
        result: z.array(z.unknown()).nullish(),
      }),
    )
    .nullish(),
});

/** The status stands in the answer and in its task: success only if both say so. */
export function verdictOf(answer: z.infer<typeof envelope>): { code: number; message: string } {
  const said = answer.status_code === OK ? answer.tasks?.[0] : answer;
  return { code: said?.status_code ?? 0, message: said?.status_message ?? 'no task in the answer' };
}

/**
 * What the three calls of dataforseo.ts bring, read into one form. The calls nest their phrases at different depths;
 * competition is a number from 0 to 1 in one family and a word in the other; anything may be null.
 */
export const readers = {
  suggestions: (result: unknown[]): PhraseData[] =>
    z
      .array(listOf(keywordData))
      .parse(result)
      .flatMap((list) => list?.items ?? [])
      .flatMap(toPhrase),

  related: (result: unknown[]): PhraseData[] =>
    z
      .array(listOf(z.object({ keyword_data: keywordData.nullish() })))
      .parse(result)
      .flatMap((list) => list?.items ?? [])
      .flatMap((item) => toPhrase(item?.keyword_data)),

  /** Phrases that the supplier knows nothing of are named in its answer too; they are left out. */
  volumes: (result: unknown[]): PhraseData[] =>
    z
      .array(adsKeyword.nullish())
      .parse(result)
      .flatMap((item) =>
        item?.keyword && (item.search_volume ?? item.competition_index ?? null) !== null
          ? {
              phrase: item.keyword,
              volume: item.search_volume ?? null,
              difficulty: item.competition_index ?? null,
              cpc: item.cpc ?? null,
              intent: intentOf(item.competition),
            }
          : [],
      ),
};

const number = z.number().nullish();
const level = z.string().nullish();

const keywordData = z.object({
  keyword: z.string().nullish(),
  keyword_info: z
    .object({ search_volume: number, competition: number, competition_level: level, cpc: number })
    .nullish(),
});

const adsKeyword = z.object({
  keyword: z.string().nullish(),
  search_volume: number,
  competition: level,
  competition_index: number,
  cpc: number,
});

const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item.nullish()).nullish() }).nullish();

function toPhrase(data: z.infer<typeof keywordData> | null | undefined): PhraseData[] {
  if (!data?.keyword) return [];
  const info = data.keyword_info;
  return [
    {
      phrase: data.keyword,
      volume: info?.search_volume ?? null,
      difficulty: typeof info?.competition === 'number' ? Math.round(info.competition * 100) : null,
      cpc: info?.cpc ?? null,
      intent: intentOf(info?.competition_level),
    },
  ];
}

/** Where many advertisers pay, people are about to buy. */
const intentOf = (competition: string | null | undefined): PhraseData['intent'] =>
  competition === 'HIGH' ? 'commercial' : 'informational';
