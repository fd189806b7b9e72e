import { registry } from '../../machines/registry.ts';
import { composeMenu, type MenuData } from '../../src/compose/routes.ts';
import { createFlows } from '../../src/engine/flows.ts';
import type { CategoriesData } from '../../src/menu/categories.ts';
import type { DashboardData } from '../../src/menu/dashboard.ts';
import type { PostsData } from '../../src/menu/posts.ts';
import type { ProjectsData } from '../../src/menu/projects.ts';
import type { PublishingData } from '../../src/menu/publishing.ts';
import { prices } from '../../src/prices.ts';
import { loadFlowScreens } from '../../src/screens/load-flow-screens.ts';
import type { CategoryCard } from '../../src/screens/pages/categories.ts';
import type { Dashboard } from '../../src/screens/pages/dashboard.ts';
import type { ProjectCard, ProjectValues } from '../../src/screens/pages/projects.ts';
import type { Keywords } from '../../src/services/quality/choose-cluster.ts';
import type { CategoryMaterial } from '../../src/store/category-material.ts';
import { playedAdmin } from './played-admin.ts';
import { playedBranding } from './played-branding.ts';
import { playedCards } from './played-cards.ts';
import { playedCategoryTools } from './played-category-tools.ts';
import { type ConnectionChanges, playedConnections } from './played-connections.ts';
import { playedContentSettings } from './played-content-settings.ts';
import { playedKeywords, someClusters } from './played-keywords.ts';
import { playedMedia } from './played-media.ts';
import { playedProfile, playedSettings } from './played-person.ts';
import { playedPublications } from './played-publications.ts';
import { aPlace, NOW, playedPlan, playedSchedules } from './played-schedules.ts';
import { playedSiteTools } from './played-site-tools.ts';
import { playedTariffs } from './played-tariffs.ts';
import { playedTrainer } from './played-trainer.ts';

/** Whose data it is; to everybody else it does not exist. */
export const OWNER = 7;
export const STRANGER = 8;
export const PROJECT = 5;
export const CATEGORY = 9;

export const aDashboard: Dashboard = {
  balance: 1500,
  projects: 1,
  activeSchedules: 2,
  averageArticleCost: 320,
  lastPublication: null,
  hasWordpress: true,
  hasSocial: true,
};

export const someValues: ProjectValues = {
  name: 'Ромашка',
  company_name: 'ООО «Ромашка» & <Ко>',
  specialization: 'Доставка цветов',
  website_url: 'https://romashka.ru',
  company_city: null,
  company_address: null,
  company_phone: null,
  company_email: null,
  company_instagram: null,
  company_vk: null,
  company_pinterest: null,
  company_telegram: null,
  experience: null,
  advantages: null,
  description: null,
};

export const aProject: ProjectCard = {
  id: PROJECT,
  values: someValues,
  connections: [{ id: 1, platform: 'wordpress', identifier: 'romashka.ru', status: 'active' }],
  categories: 3,
  publications: 12,
};

export const aCategory: CategoryCard = {
  id: CATEGORY,
  name: 'Свадебные букеты',
  projectId: PROJECT,
  projectName: 'Ромашка',
  hasDescription: true,
  clusters: 2,
  phrases: 40,
  hasPrices: false,
  reviews: 0,
  media: 4,
  platforms: ['wordpress'],
};

export const CONNECTION = 3;
export const aConnection = {
  id: CONNECTION,
  platform: 'wordpress',
  identifier: 'romashka.ru',
  status: 'active',
};

type Data = DashboardData & {
  projects: ProjectsData;
  categories: CategoriesData;
  publishing: PublishingData;
};
export type Changes = {
  publishing?: Partial<PublishingData>;
  posts?: Partial<PostsData>;
  dashboard?: Partial<Dashboard>;
  projects?: Partial<ProjectsData>;
  categories?: Partial<CategoriesData>;
  keywords?: Keywords;
  material?: Partial<CategoryMaterial>;
  connections?: ConnectionChanges;
  abilities?: Partial<MenuData['abilities']>;
};

const ofOwner =
  <Value>(value: Value) =>
  async (userId: number, id: number): Promise<Value | null> =>
    userId === OWNER && (id === PROJECT || id === CATEGORY) ? value : null;

const losses = { name: 'Ромашка', phrases: 40, schedules: 1, drafts: 2, draftTokens: 640 };

/** The menu of the product over data that the test plays: one person with one project and one category. */
export function playedMenu({
  dashboard,
  projects,
  categories,
  publishing,
  posts,
  keywords = someClusters,
  material = {},
  connections = {},
  abilities = {},
}: Changes = {}) {
  const able = { writes: true, readsSites: true, searches: true, trains: true, ...abilities };
  const inviters: [number, number][] = [];
  const data: Data = {
    dashboard: async () => ({ ...aDashboard, ...dashboard }),
    setReferrer: async (userId, referrerId) => inviters.push([userId, referrerId]) > 0,
    waitingDialogues: async () => [],
    endDialogues: async () => 0,
    terms: null,
    abilities: able,
    noteConsent: async () => undefined,
    register: async () => undefined,
    projects: {
      list: async (userId) => (userId === OWNER ? [{ id: PROJECT, name: 'Ромашка' }] : []),
      stats: async () => [],
      card: ofOwner(aProject),
      plans: async () => ({ places: [aPlace], now: NOW }),
      fields: ofOwner({ values: someValues, timezone: 'Europe/Moscow' }),
      setTimezone: async (userId, id) => userId === OWNER && id === PROJECT,
      deletionCounts: ofOwner({ ...losses, categories: 3, connections: 1 }),
      remove: ofOwner({ refunded: 640 }),
      ...projects,
    },
    categories: {
      list: ofOwner({ projectName: 'Ромашка', categories: [{ id: CATEGORY, name: 'Свадебные букеты' }] }),
      card: ofOwner(aCategory),
      plans: async () => ({ places: [aPlace], now: NOW }),
      settings: (userId, categoryId) =>
        playedContentSettings((who, id) => who === OWNER && id === CATEGORY).page(userId, categoryId, null),
      rename: async (userId, id) => userId === OWNER && id === CATEGORY,
      deletionCounts: ofOwner({ ...losses, projectId: PROJECT }),
      remove: ofOwner({ projectId: PROJECT, refunded: 0 }),
      ...categories,
    },
    publishing: {
      category: ofOwner({
        categoryId: CATEGORY,
        categoryName: 'Свадебные букеты',
        projectId: PROJECT,
        projectName: 'Ромашка',
      }),
      connections: ofOwner([aConnection]),
      offerArticle: async (userId, categoryId) =>
        userId === OWNER && categoryId === CATEGORY ? { blocked: 'no-phrases' } : { missing: true },
      waitingDraft: async () => null,
      hasOwnSettings: async () => false,
      offerPost: async () => ({ missing: true }),
      waitingPost: async () => null,
      isRefreshed: async () => false,
      openDraft: async () => ({ gone: true }),
      cancelDraft: async () => 0,
      confirmPublication: async () => null,
      canCrossPost: async () => true,
      hint: async (_, publicationId) => ({ publicationId, categoryId: CATEGORY, about: 'prices' }),
      putOffHint: async () => undefined,
      automation: async (_, publicationId) => ({
        ...{ publicationId, categoryId: CATEGORY, connectionId: CONNECTION, price: 290 },
      }),
      publication: async (userId) =>
        userId === OWNER
          ? {
              projectId: PROJECT,
              categoryId: CATEGORY,
              connectionId: CONNECTION,
              id: 3,
              contentType: 'article',
              site: 'romashka.ru',
              keyword: 'букет невесты',
              url: 'https://romashka.ru/buket-nevesty',
              words: 1_810,
              tokens: 290,
              balance: 1_210,
              usualCost: 290,
              lacksSeoPlugin: false,
            }
          : null,
      ...publishing,
    },
  };
  const isOwnCategory = (userId: number, id: number) => userId === OWNER && id === CATEGORY;
  const phrases = playedKeywords(keywords, isOwnCategory);
  const played = playedConnections(
    connections,
    (userId, id) => userId === OWNER && (id === PROJECT || id === CONNECTION),
  );
  const menu = composeMenu({
    dashboard: data,
    projects: data.projects,
    categories: data.categories,
    connections: played,
    siteSettings: played.settings,
    keywords: phrases,
    ...playedCategoryTools(material, isOwnCategory),
    publishing: data.publishing,
    publications: playedPublications(OWNER, PROJECT),
    contentSettings: playedContentSettings((userId, id) => userId === OWNER && id === CATEGORY),
    branding: playedBranding((userId, id) => userId === OWNER && id === PROJECT),
    media: playedMedia((userId, id) => userId === OWNER && id === CATEGORY),
    siteTools: playedSiteTools((userId, id) => userId === OWNER && id === PROJECT),
    voice: {
      page: async (userId, pid) =>
        userId === OWNER && pid === PROJECT
          ? {
              projectId: pid,
              projectName: 'Ромашка <&>',
              voice: 'На «вы» <коротко>',
              author: 'Анна',
              hasTexts: true,
              readsSites: true,
            }
          : null,
      read: async (userId, pid) => (userId === OWNER && pid === PROJECT ? { texts: 3 } : null),
      put: async (userId, pid) => userId === OWNER && pid === PROJECT,
    },
    refreshes: {
      offer: async () => null,
      candidates: async (userId, pid) =>
        userId === OWNER && pid === PROJECT
          ? [
              {
                id: 1,
                keyword: 'букет <невесты>',
                at: new Date('2026-03-01'),
                place: 7,
                timezone: 'Europe/Moscow',
              },
            ]
          : null,
      undo: async () => null,
      inForce: async () => false,
    },
    ranks: {
      ofProject: async (userId, pid) =>
        userId === OWNER && pid === PROJECT
          ? { projectName: 'Ромашка', ranks: [{ id: 1, keyword: 'букет невесты', positions: [12, 7] }] }
          : null,
      draw: async () => ({ bytes: new Uint8Array([1]), name: 'positions.png' }),
      offerRewrite: async () => null,
    },
    contentPlan: playedPlan((userId, id) => userId === OWNER && id === CATEGORY),
    scheduling: playedSchedules((userId, id) => userId === OWNER && (id === PROJECT || id === CATEGORY)),
    tariffs: playedTariffs(),
    posts: {
      category: data.publishing.category,
      connections: data.publishing.connections,
      offerPost: data.publishing.offerPost,
      channel: async () => null,
      openPost: async () => ({ gone: true }),
      otherPlaces: async () => null,
      movePost: async () => null,
      confirmPost: async () => null,
      cancelPost: async () => 0,
      ...posts,
    },
    cards: playedCards(OWNER),
    admin: playedAdmin(),
    profile: playedProfile(),
    settings: playedSettings(),
    pipelines: {
      category: data.publishing.category,
      cancelDraft: async () => null,
      cancelPost: async () => null,
      hasProject: async (userId, id) => userId === OWNER && id === PROJECT,
    },
    trainer: playedTrainer(OWNER),
    abilities: able,
    prices,
  });
  return { ...menu, inviters, keywords: phrases.list };
}

export const flows = createFlows(registry, await loadFlowScreens());

/** Whatever a button of the product can carry. */
export const allPatterns = (): string[] => [...new Set([...playedMenu().patterns, ...flows.patterns])];
