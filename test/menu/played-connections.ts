import type { ConnectionsData } from '../../src/menu/connections.ts';
import type { SiteSettingsData } from '../../src/menu/wordpress-settings.ts';
import type { TermChoice } from '../../src/screens/kit/wordpress-terms.ts';
import type { ConnectionCard } from '../../src/screens/pages/connections.ts';
import type { SiteSettings } from '../../src/screens/pages/wordpress-settings.ts';

export const aSite: ConnectionCard = {
  id: 3,
  projectId: 5,
  projectName: 'Ромашка',
  timezone: 'Europe/Moscow',
  platform: 'wordpress',
  identifier: 'romashka.ru',
  name: 'romashka.ru',
  ownBot: false,
  note: null,
  status: 'active',
  url: 'https://romashka.ru/',
  createdAt: new Date('2026-11-02T21:30:00Z'),
  lastError: null,
  schedules: 2,
  links: 84,
  colors: ['#ffffff', '#333333', '#0066cc'],
  settings: { rubrics: ['Советы'], tags: [], robots: null, schemaType: 'BlogPosting' },
  lacksSeoPlugin: true,
  homelessDraft: null,
  waitingPost: null,
};

export type ConnectionChanges = {
  website?: string | null;
  sites?: ConnectionCard[];
  checked?: { works: true } | { works: false; reason: string };
  settings?: SiteSettings;
  terms?: TermChoice;
  /** What was marked and unmarked. */
  marks?: string[];
};

type Owns = (userId: number, id: number) => boolean;

/** The connections of one project, for its owner. */
export function playedConnections(
  { website = 'https://romashka.ru', sites = [aSite], checked = { works: true }, ...site }: ConnectionChanges,
  owns: Owns,
): ConnectionsData & { settings: SiteSettingsData } {
  const { settings = { identifier: 'romashka.ru', seoPlugin: 'yoast', indexing: true, ...aSite.settings! } } =
    site;
  const {
    marks = [],
    terms = {
      identifier: 'romashka.ru',
      terms: {
        items: [
          { id: 1, name: 'Советы', chosen: true },
          { id: 8, name: 'Новости <салона>', chosen: false },
        ],
        page: 1,
        pages: 1,
        count: 2,
      },
      lost: [],
    },
  } = site;
  const ofOwner =
    <Value>(value: Value) =>
    async (userId: number, id: number): Promise<Value | null> =>
      owns(userId, id) ? value : null;
  return {
    list: ofOwner({ projectName: 'Ромашка', website, connections: sites }),
    card: ofOwner(sites[0] ?? aSite),
    check: ofOwner(checked),
    remove: ofOwner({ projectId: 5 }),
    rename: async (userId, id) => owns(userId, id),
    unavailable: [],
    settings: {
      read: ofOwner(settings),
      terms: ofOwner(terms),
      async markTerm(userId, id, _, term, marked) {
        if (!owns(userId, id)) return null;
        marks.push(`${term} ${marked ? 'on' : 'off'}`);
        return term === 8 ? 'gone' : 'done';
      },
      seoPlugin: ofOwner({ identifier: 'romashka.ru', state: 'offered' as const }),
      installSeoPlugin: ofOwner({ outcome: 'installed' as const }),
      indexKey: ofOwner({
        ...{ url: 'https://romashka.ru/abc.txt', name: 'abc.txt', key: 'abc', isThere: false },
      }),
      chooseRobots: async (userId, id) => owns(userId, id),
      chooseSchema: async (userId, id) => owns(userId, id),
    },
  };
}
