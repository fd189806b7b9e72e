import type { Menu } from '../engine/menu.ts';
import { type Abilities, outOfReach } from '../menu/abilities.ts';
import { type AdminData, adminRoutes } from '../menu/admin.ts';
import { type BrandingData, brandingRoutes } from '../menu/branding.ts';
import { type CardPaymentsData, cardPaymentRoutes } from '../menu/card-payments.ts';
import { type CategoriesData, categoryRoutes } from '../menu/categories.ts';
import { type ConnectionsData, connectionRoutes } from '../menu/connections.ts';
import { type ContentPlanData, contentPlanRoutes } from '../menu/content-plan.ts';
import { type ContentSettingsData, contentSettingsRoutes } from '../menu/content-settings.ts';
import { createMenu, type Label, type Once, type Route } from '../menu/create-menu.ts';
import { type DashboardData, dashboardRoutes, home, nearest, startLink } from '../menu/dashboard.ts';
import { type DescriptionData, descriptionRoutes } from '../menu/description.ts';
import { helpRoutes } from '../menu/help.ts';
import { type KeywordsData, keywordRoutes } from '../menu/keywords.ts';
import { type MediaData, mediaRoutes } from '../menu/media.ts';
import { type PipelinesData, pipelineRoutes } from '../menu/pipelines.ts';
import { type PostsData, postRoutes } from '../menu/posts.ts';
import { type PricesData, priceRoutes } from '../menu/prices.ts';
import { type ProfileData, profileRoutes } from '../menu/profile.ts';
import { type ProjectsData, projectRoutes } from '../menu/projects.ts';
import { type PublicationsData, publicationRoutes } from '../menu/publications.ts';
import { type PublishingData, publishingRoutes } from '../menu/publishing.ts';
import { type RanksData, rankRoutes } from '../menu/ranks.ts';
import { type RefreshData, refreshRoutes } from '../menu/refreshes.ts';
import { type ReviewsData, reviewRoutes } from '../menu/reviews.ts';
import { type SchedulingData, scheduleRoutes } from '../menu/schedules.ts';
import { type SettingsData, settingsCommands, settingsRoutes } from '../menu/settings.ts';
import { type SiteToolsData, siteToolsRoutes } from '../menu/site-tools.ts';
import { type TariffsData, tariffRoutes } from '../menu/tariffs.ts';
import { type TrainerData, trainerCommands, trainerRoutes } from '../menu/trainer.ts';
import { withKeysBack } from '../menu/usual-keys.ts';
import { type VoiceData, voiceRoutes } from '../menu/voice.ts';
import { type SiteSettingsData, siteSettingsRoutes } from '../menu/wordpress-settings.ts';
import { replyLabels } from '../screens/pages/dashboard.ts';
import type { HelpPrices } from '../screens/pages/help.ts';

export type MenuData = {
  dashboard: DashboardData;
  projects: ProjectsData;
  categories: CategoriesData;
  connections: ConnectionsData;
  siteSettings: SiteSettingsData;
  keywords: KeywordsData;
  description: DescriptionData;
  priceList: PricesData;
  reviews: ReviewsData;
  publishing: PublishingData;
  publications: PublicationsData;
  siteTools: SiteToolsData;
  contentSettings: ContentSettingsData;
  media: MediaData;
  branding: BrandingData;
  scheduling: SchedulingData;
  ranks: RanksData;
  refreshes: RefreshData;
  voice: VoiceData;
  contentPlan: ContentPlanData;
  tariffs: TariffsData;
  posts: PostsData;
  cards: CardPaymentsData;
  admin: AdminData;
  profile: ProfileData;
  settings: SettingsData;
  pipelines: PipelinesData;
  /** Null: switched off. */
  trainer: TrainerData | null;
  abilities: Abilities;
  prices: HelpPrices;
};

/** The one list of pages and one-press actions, for the bot and for the tests. */
const routesOf = (data: MenuData, has: (pattern: string) => boolean): Route[] => [
  ...dashboardRoutes(data.dashboard, has),
  ...projectRoutes(data.projects),
  ...categoryRoutes(data.categories, has),
  ...connectionRoutes(data.connections, has),
  ...siteSettingsRoutes(data.siteSettings),
  ...keywordRoutes(data.keywords),
  ...descriptionRoutes(data.description),
  ...priceRoutes(data.priceList),
  ...reviewRoutes(data.reviews),
  ...publishingRoutes(data.publishing),
  ...publicationRoutes(data.publications),
  ...siteToolsRoutes(data.siteTools),
  ...contentSettingsRoutes(data.contentSettings),
  ...mediaRoutes(data.media),
  ...brandingRoutes(data.branding),
  ...scheduleRoutes(data.scheduling),
  ...rankRoutes(data.ranks),
  ...refreshRoutes(data.refreshes),
  ...voiceRoutes(data.voice),
  ...contentPlanRoutes(data.contentPlan),
  ...postRoutes(data.posts),
  ...pipelineRoutes(data.pipelines),
  ...(data.trainer ? trainerRoutes(data.trainer) : []),
  ...tariffRoutes(data.tariffs),
  ...cardPaymentRoutes(data.cards),
  ...adminRoutes(data.admin),
  ...profileRoutes(data.profile),
  ...settingsRoutes(data.settings),
  ...helpRoutes(data.prices),
];

const labelsOf = ({ trainer }: MenuData): Label[] => [
  ...replyLabels.flat(),
  { label: '/help', pattern: 'nav:help' },
  ...settingsCommands,
  ...trainerCommands(trainer?.cases ?? []),
];

export function composeMenu(data: MenuData, once?: Once): Menu & { patterns: string[] } {
  const menu = createMenu({
    // Asked when a page is shown: by then the menu is there.
    routes: routesOf(data, (pattern) => menu.has(pattern)),
    off: outOfReach(data.abilities),
    labels: labelsOf(data),
    home,
    nearest,
    start: startLink,
    ...(once && { once }),
  });
  // Whatever page is opened out of a flow that has changed the keys below the input line.
  const visit: typeof menu.visit = async (link, visitor, key) =>
    withKeysBack(await menu.visit(link, visitor, key), visitor, menu.has);
  return { ...menu, visit };
}
