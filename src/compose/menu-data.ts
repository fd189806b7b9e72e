import type { Log } from '../log.ts';
import type { Abilities } from '../menu/abilities.ts';
import { prices } from '../prices.ts';
import { makeDashboard } from '../store/dashboard.ts';
import { makePublicationList } from '../store/publication-list.ts';
import type { composeArticles } from './articles.ts';
import { composeBranding } from './branding.ts';
import type { composeCategoryTools } from './category-tools.ts';
import type { composeConnections } from './connections.ts';
import type { Foundation } from './foundation.ts';
import type { composeKeywords } from './keywords.ts';
import type { composeMedia } from './media.ts';
import type { composeMoney } from './money.ts';
import type { composeOwner } from './owner.ts';
import type { composePerson } from './person.ts';
import type { composePipelines } from './pipelines.ts';
import type { composePosts } from './posts.ts';
import type { composeRanks } from './ranks.ts';
import type { composeRefreshes } from './refreshes.ts';
import type { MenuData } from './routes.ts';
import type { composeSchedules } from './schedules.ts';
import type { composeTools } from './tools.ts';
import type { composeTrainer } from './trainer.ts';
import { composeVoice } from './voice.ts';
import type { composeWriting } from './writing.ts';

type Made<Compose extends (...parts: never[]) => unknown> = Awaited<ReturnType<Compose>>;

type Parts = {
  abilities: Abilities;
  foundation: Foundation;
  log: Log;
  writing: Made<typeof composeWriting>;
  articles: Made<typeof composeArticles>;
  posts: Made<typeof composePosts>;
  connecting: Made<typeof composeConnections>;
  keywords: Made<typeof composeKeywords>;
  categoryTools: Made<typeof composeCategoryTools>;
  tools: Made<typeof composeTools>;
  media: Made<typeof composeMedia>;
  scheduling: Made<typeof composeSchedules>;
  ranks: Made<typeof composeRanks>;
  refreshes: Made<typeof composeRefreshes>;
  pipelines: Made<typeof composePipelines>;
  trainer: Made<typeof composeTrainer>;
  money: Made<typeof composeMoney>;
  owner: Made<typeof composeOwner>;
  person: Made<typeof composePerson>;
};

/** What each section of the menu reads and changes. */
export function menuData(parts: Parts): MenuData {
  const { abilities, foundation, log, writing, articles, posts, connecting, scheduling, trainer, tools } =
    parts;
  const { sql, keyValues, limits, users, projects, categories, connections } = foundation;
  return {
    dashboard: {
      dashboard: makeDashboard(sql),
      setReferrer: users.setReferrer,
      ...parts.person.dashboard,
      abilities,
      waitingDialogues: abilities.trains ? trainer.waiting : async () => [],
      endDialogues: trainer.endDialogues,
    },
    projects: { ...projects, ...scheduling.projects },
    categories: {
      ...categories,
      ...scheduling.categories,
      settings: (userId, categoryId) => tools.pages.contentSettings.page(userId, categoryId, null),
    },
    connections: { ...connecting.pages, ...scheduling.connections },
    siteSettings: connecting.siteSettings,
    keywords: parts.keywords.pages,
    ...parts.categoryTools.pages,
    ...tools.pages,
    ...parts.media.pages,
    branding: composeBranding({ sql, keyValues, limits, connections, writing, log }),
    publications: makePublicationList(sql),
    scheduling: scheduling.pages,
    ranks: parts.ranks.pages,
    refreshes: parts.refreshes.pages,
    voice: composeVoice({ sql, limits, writing, readsSites: abilities.readsSites, log }),
    contentPlan: scheduling.plan,
    publishing: {
      ...articles.pages,
      ...{ offerPost: posts.pages.offerPost, waitingPost: posts.waitingPost },
      canCrossPost: posts.canCrossPost,
      automation: scheduling.automation,
      ...{ hint: scheduling.hints.due, putOffHint: scheduling.hints.putOff },
      isRefreshed: parts.refreshes.pages.inForce,
      connections: connections.list,
      hasOwnSettings: async (userId, categoryId, platform) =>
        (await tools.pages.contentSettings.page(userId, categoryId, null))?.platforms.some(
          (each) => each.platform === platform && each.isOwn,
        ) ?? false,
    },
    posts: posts.pages,
    pipelines: parts.pipelines.pages,
    trainer: abilities.trains ? trainer.pages : null,
    abilities,
    tariffs: parts.money.pages,
    cards: parts.money.cardPages,
    admin: parts.owner.pages,
    ...parts.person.pages,
    prices,
  };
}
