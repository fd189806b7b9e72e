import type { RubricChoice, SiteSettings } from '../../screens/wordpress-settings.ts';
import type { Connection, ConnectionMetadata } from '../../store/connections.ts';
import { DeliveryFailed } from '../publishing/adapter.ts';
import { wordPressAccess } from './wordpress-access.ts';

type Access = { restRoot: string; login: string; appPassword: string };

type Deps = {
  find(userId: number, connectionId: number): Promise<Connection | null>;
  credentials(userId: number, connectionId: number): Promise<unknown>;
  note(connectionId: number, change: { metadata: ConnectionMetadata }): Promise<void>;
  listRubrics(access: Access, signal: AbortSignal): Promise<{ id: number; name: string }[]>;
  patienceMs?: number;
};

// A press asks the site twice, and a person is left without an answer for eight seconds at most.
const PATIENCE_MS = 3_500;
const tooSlow = 'Сайт не ответил за несколько секунд. Попробуйте ещё раз чуть позже.';

/** How articles are filed on a connected site. Null everywhere: there is no such site of this person. */
export function makeWordPressSettings({
  find,
  credentials,
  note,
  listRubrics,
  patienceMs = PATIENCE_MS,
}: Deps) {
  return { read, rubrics, toggleRubric, chooseSchema };

  async function read(userId: number, connectionId: number): Promise<SiteSettings | null> {
    const site = await siteOf(userId, connectionId);
    return site && settingsOf(site);
  }

  async function rubrics(userId: number, connectionId: number): Promise<RubricChoice | null> {
    const site = await siteOf(userId, connectionId);
    if (!site) return null;
    const { identifier, rubrics: chosen } = settingsOf(site);
    const patience = AbortSignal.timeout(patienceMs);
    try {
      const { login, appPassword } = wordPressAccess(await credentials(userId, connectionId));
      const access = { restRoot: String(site.metadata.restRoot), login, appPassword };
      const found = await listRubrics(access, patience);
      const named = found.map(({ id, name }) => ({ id, name: plainName(name) }));
      return { identifier, rubrics: named.map((each) => ({ ...each, chosen: chosen.includes(each.name) })) };
    } catch (error) {
      if (patience.aborted) return { identifier, failure: tooSlow };
      if (error instanceof DeliveryFailed) return { identifier, failure: error.userMessage };
      throw error;
    }
  }

  /** A site that does not answer changes nothing; the page that follows says so. */
  async function toggleRubric(userId: number, connectionId: number, rubricId: number): Promise<boolean> {
    const settings = await read(userId, connectionId);
    const choice = settings && (await rubrics(userId, connectionId));
    if (!choice) return false;
    const pressed = 'rubrics' in choice ? choice.rubrics.find(({ id }) => id === rubricId) : undefined;
    if (!pressed) return true;
    // What was chosen and is not on the list now stays chosen: the list is only as long as the site makes it.
    const others = settings.rubrics.filter((name) => name !== pressed.name);
    const wpCategories = pressed.chosen ? others : [...others, pressed.name];
    await note(connectionId, { metadata: { wpCategories } });
    return true;
  }

  async function chooseSchema(userId: number, connectionId: number, schemaType: string): Promise<boolean> {
    if (!(await siteOf(userId, connectionId))) return false;
    await note(connectionId, { metadata: { schemaType } });
    return true;
  }

  async function siteOf(userId: number, connectionId: number): Promise<Connection | null> {
    const connection = await find(userId, connectionId);
    return connection?.platform === 'wordpress' ? connection : null;
  }
}

function settingsOf({ identifier, metadata: { wpCategories, schemaType } }: Connection): SiteSettings {
  return {
    identifier,
    rubrics: Array.isArray(wpCategories) ? wpCategories.map(String) : [],
    schemaType: typeof schemaType === 'string' ? schemaType : null,
  };
}

/** WordPress writes names as HTML. */
const plainName = (name: string): string => name.replaceAll('&amp;', '&');
