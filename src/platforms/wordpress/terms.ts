import { z } from 'zod';
import type { Taxonomy } from './client.ts';
import { WordPressFailed } from './client-failed.ts';
import type { WordPressRun } from './run.ts';

/**
 * Ids of rubrics and tags by their names in lower case: what the connection remembers between publications. A site may
 * have several of one name, under different parents.
 */
export type KnownTerms = Readonly<Record<Taxonomy, TermIds>>;
type TermIds = Readonly<Record<string, number | readonly number[]>>;

const existing = z.object({ term_id: z.coerce.number() });
const labels = {
  categories: { added: 'Рубрику', lost: 'Рубрики' },
  tags: { added: 'Метку', lost: 'Метки' },
} as const satisfies Record<Taxonomy, unknown>;

/** Found or made. One that can be neither is left out: an article without a rubric is still an article. */
export async function resolveTerms(
  run: WordPressRun,
  wanted: Readonly<Record<Taxonomy, readonly string[]>>,
  known: KnownTerms,
): Promise<{ terms: KnownTerms; warnings: string[] }> {
  const warnings: string[] = [];
  return {
    terms: { categories: await resolved('categories'), tags: await resolved('tags') },
    warnings,
  };

  async function resolved(taxonomy: Taxonomy): Promise<TermIds> {
    const ids: Record<string, number | readonly number[]> = {};
    const remembered = await stillThere(taxonomy);
    for (const name of wanted[taxonomy].map((given) => given.trim()).filter(Boolean)) {
      const key = name.toLowerCase();
      try {
        ids[key] ??= remembered[key] ?? (await found(taxonomy, name)) ?? (await made(taxonomy, name));
      } catch (error) {
        if (!(error instanceof WordPressFailed)) throw error;
        run.log.warn({ err: error, taxonomy, term: name }, 'a WordPress post goes without a term');
        warnings.push(
          `${labels[taxonomy].added} «${name}» добавить не удалось: сайт не разрешил её найти или создать.`,
        );
      }
    }
    return ids;
  }

  /** WordPress drops a number that means nothing any more without a word, and the post would go without a rubric. */
  async function stillThere(taxonomy: Taxonomy): Promise<TermIds> {
    const keys = wanted[taxonomy].map((given) => given.trim().toLowerCase());
    const remembered = Object.entries(known[taxonomy]).filter(([key]) => keys.includes(key));
    if (remembered.length === 0) return {};
    try {
      const ids = remembered.flatMap(([, of]) => of);
      const there = await run.wordpress.termsById(run.access, taxonomy, ids, run.signal);
      const kept = remembered.map(
        ([key, of]) => [key, [of].flat().filter((id) => isAmong(there, id))] as const,
      );
      return Object.fromEntries(kept.filter(([, left]) => left.length > 0));
    } catch (error) {
      if (!(error instanceof WordPressFailed)) throw error;
      run.log.warn({ err: error, taxonomy }, 'the terms of a WordPress site were not looked at');
      return Object.fromEntries(remembered);
    }
  }

  async function found(taxonomy: Taxonomy, name: string): Promise<number | undefined> {
    const terms = await run.wordpress.findTerms(run.access, taxonomy, stored(name), run.signal);
    return terms.find((term) => term.name.toLowerCase() === stored(name).toLowerCase())?.id;
  }

  async function made(taxonomy: Taxonomy, name: string): Promise<number> {
    try {
      const { id } = await run.wordpress.createTerm(run.access, taxonomy, name, run.signal);
      if (known[taxonomy][name.toLowerCase()] !== undefined) warnings.push(madeAgain(taxonomy, name));
      return id;
    } catch (error) {
      const isThere = error instanceof WordPressFailed && error.refusal === 'term_exists';
      const told = isThere ? existing.safeParse(error.data) : null;
      if (!told?.success) throw error;
      return told.data.term_id;
    }
  }
}

const isAmong = (terms: readonly { id: number }[], id: number): boolean =>
  terms.some((term) => term.id === id);

const madeAgain = (taxonomy: Taxonomy, name: string): string =>
  `${labels[taxonomy].lost} «${name}» на сайте больше не было, бот создал её заново. Другую можно выбрать в настройках WordPress.`;

/** WordPress keeps names as HTML, and searches among them as they are kept. */
const stored = (name: string): string =>
  name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
