import { DeliveryFailed } from '../../errors.ts';
import type { Marked, TermChoice } from '../../screens/kit/wordpress-terms.ts';
import type { SiteSettings } from '../../screens/pages/wordpress-settings.ts';
import { decodeEntities } from '../../services/posts/entities.ts';
import type { Connection, ConnectionMetadata } from '../../store/connections.ts';
import { wordPressAccess } from './access.ts';
import { type ChosenTerm, chosenTerms, withChosenTerms } from './chosen-terms.ts';
import type { Taxonomy } from './client.ts';
import type { Access } from './client-request.ts';

type Deps = {
  find(userId: number, connectionId: number): Promise<Connection | null>;
  credentials(userId: number, connectionId: number): Promise<unknown>;
  note(connectionId: number, change: { metadata: ConnectionMetadata }): Promise<void>;
  listTerms(
    access: Access,
    taxonomy: Taxonomy,
    page: { page: number; perPage: number },
    signal: AbortSignal,
  ): Promise<{ terms: ChosenTerm[]; total: number }>;
  /** Those of them that are there. */
  termsById(
    access: Access,
    taxonomy: Taxonomy,
    ids: readonly number[],
    signal: AbortSignal,
  ): Promise<ChosenTerm[]>;
  /** How many a screen shows, and how many may be chosen. */
  /** Search engines can be told of new articles. */
  indexing: boolean;
  perPage: number;
  mostTerms: number;
  patienceMs?: number;
};

// A press asks the site twice, and a person is left without an answer for eight seconds at most.
const PATIENCE_MS = 3_500;
const tooSlow = 'Сайт не ответил за несколько секунд. Попробуйте ещё раз чуть позже.';

/** How articles are filed on a connected site. Null everywhere: there is no such site of this person. */
export function makeWordPressSettings({ find, credentials, note, listTerms, termsById, ...options }: Deps) {
  const { perPage, mostTerms, patienceMs = PATIENCE_MS } = options;
  return { read, terms, markTerm, chooseRobots, chooseSchema };

  async function read(userId: number, connectionId: number): Promise<SiteSettings | null> {
    const site = await siteOf(userId, connectionId);
    return site && { ...settingsOf(site), indexing: options.indexing };
  }

  async function terms(
    userId: number,
    connectionId: number,
    taxonomy: Taxonomy,
    page: number,
  ): Promise<TermChoice | null> {
    const site = await siteOf(userId, connectionId);
    if (!site) return null;
    const { identifier, metadata } = site;
    const chosen = chosenTerms(metadata, taxonomy);
    const ids = chosen.map(({ id }) => id);
    const asked = await ask(userId, site, (access, signal) =>
      Promise.all([
        pageOf((n) => listTerms(access, taxonomy, { page: n, perPage }, signal), page, perPage),
        ids.length > 0 ? termsById(access, taxonomy, ids, signal) : [],
      ]),
    );
    if ('failure' in asked) return { identifier, failure: asked.failure };
    const [{ items, ...around }, alive] = asked.answer;
    return {
      identifier,
      terms: { ...around, items: items.map((item) => ({ ...plain(item), chosen: ids.includes(item.id) })) },
      lost: chosen.filter(({ id }) => !alive.some((term) => term.id === id)),
    };
  }

  /** What was chosen goes without asking the site; what is new must be there. A press that comes twice changes nothing. */
  async function markTerm(
    userId: number,
    connectionId: number,
    taxonomy: Taxonomy,
    termId: number,
    marked: boolean,
  ): Promise<Marked | null> {
    const site = await siteOf(userId, connectionId);
    if (!site) return null;
    const chosen = chosenTerms(site.metadata, taxonomy);
    const keep = (next: ChosenTerm[]) => note(connectionId, { metadata: withChosenTerms(taxonomy, next) });
    const others = chosen.filter(({ id }) => id !== termId);
    const isChosen = others.length < chosen.length;
    if (isChosen === marked) return 'done';
    if (isChosen) {
      await keep(others);
      return 'done';
    }
    if (chosen.length >= mostTerms) return 'full';
    const asked = await ask(userId, site, (access, signal) => termsById(access, taxonomy, [termId], signal));
    if ('failure' in asked) return 'unanswered';
    const found = asked.answer.find(({ id }) => id === termId);
    if (!found) return 'gone';
    await keep([...chosen, plain(found)]);
    return 'done';
  }

  function chooseRobots(userId: number, connectionId: number, seoRobots: string): Promise<boolean> {
    return choose(userId, connectionId, { seoRobots });
  }

  function chooseSchema(userId: number, connectionId: number, schemaType: string): Promise<boolean> {
    return choose(userId, connectionId, { schemaType });
  }

  async function choose(
    userId: number,
    connectionId: number,
    metadata: ConnectionMetadata,
  ): Promise<boolean> {
    if (!(await siteOf(userId, connectionId))) return false;
    await note(connectionId, { metadata });
    return true;
  }

  async function ask<Answer>(
    userId: number,
    { id, metadata }: Connection,
    question: (access: Access, signal: AbortSignal) => Promise<Answer>,
  ): Promise<{ answer: Answer } | { failure: string }> {
    const patience = AbortSignal.timeout(patienceMs);
    try {
      const { login, appPassword } = wordPressAccess(await credentials(userId, id));
      const access = { restRoot: String(metadata.restRoot), login, appPassword };
      return { answer: await question(access, patience) };
    } catch (error) {
      if (patience.aborted) return { failure: tooSlow };
      if (error instanceof DeliveryFailed) return { failure: error.userMessage };
      throw error;
    }
  }

  async function siteOf(userId: number, connectionId: number): Promise<Connection | null> {
    const connection = await find(userId, connectionId);
    return connection?.platform === 'wordpress' ? connection : null;
  }
}

/** The site cuts its own list; a page that it has no more becomes the last one there is. */
async function pageOf(
  list: (page: number) => Promise<{ terms: ChosenTerm[]; total: number }>,
  wanted: number,
  perPage: number,
) {
  const page = Math.max(1, wanted);
  const { terms: items, total: count } = await list(page);
  const pages = Math.max(1, Math.ceil(count / perPage));
  if (page <= pages) return { items, page, pages, count };
  return { items: (await list(pages)).terms, page: pages, pages, count };
}

function settingsOf({ identifier, metadata }: Connection): Omit<SiteSettings, 'indexing'> {
  const { seoRobots, schemaType, seoPlugin } = metadata;
  const namesOf = (taxonomy: Taxonomy) => chosenTerms(metadata, taxonomy).map(({ name }) => name);
  return {
    identifier,
    rubrics: namesOf('categories'),
    tags: namesOf('tags'),
    robots: typeof seoRobots === 'string' ? seoRobots : null,
    schemaType: typeof schemaType === 'string' ? schemaType : null,
    seoPlugin: typeof seoPlugin === 'string' ? seoPlugin : null,
  };
}

/** WordPress writes names as HTML. */
const plain = ({ id, name }: ChosenTerm): ChosenTerm => ({
  id,
  name: decodeEntities(name),
});
