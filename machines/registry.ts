import { aiChatMachine } from './ai-chat.ts';
import { articleParking, articlePipelineMachine, categoryFilledOnTheWay } from './article-pipeline.ts';
import { articlePublishMachine, offerBecameChangeable } from './article-publish.ts';
import { articleRefreshMachine } from './article-refresh.ts';
import { categoryCreateMachine } from './category-create.ts';
import { competitorAnalysisMachine } from './competitor-analysis.ts';
import { connectPinterestMachine } from './connect-pinterest.ts';
import { connectTelegramMachine } from './connect-telegram.ts';
import { connectVkMachine } from './connect-vk.ts';
import { connectWordPressMachine, wordPressAnswersGathered } from './connect-wordpress.ts';
import { descriptionGenerateMachine } from './description-generate.ts';
import type { FlowRegistry } from './flow-entry.ts';
import { keywordGenerationMachine, keywordSearchGathered } from './keyword-generation.ts';
import { keywordUploadMachine } from './keyword-upload.ts';
import { invalidBecameMisfit } from './misfit.ts';
import { priceInputMachine } from './price-input.ts';
import {
  pausingBecameParking,
  projectAnswersGathered,
  projectCreateMachine,
  siteBecameReadable,
} from './project-create.ts';
import { projectEditMachine } from './project-edit.ts';
import { reviewGenerationMachine } from './review-generation.ts';
import { scheduleSetupMachine } from './schedule-setup.ts';
import { siteAuditMachine } from './site-audit.ts';
import { crossPostAdded, socialParking, socialPipelineMachine } from './social-pipeline.ts';
import { socialPostPublishMachine } from './social-post-publish.ts';

/**
 * Every flow of the product: its id, which is the name of its StatesGroup without `FSM`, its machine, and the
 * version of its stored shape. Raise the version when a snapshot stored before could no longer be continued.
 */
export const registry = {
  ProjectCreate: {
    machine: projectCreateMachine,
    version: 4,
    // Before the first answer there is nothing to keep.
    parking: {
      slot: 'project',
      states: ['company_name', 'specialization', 'website_url', 'site_card', 'card_field', 'save_failed'],
    },
    migrate: { 1: projectAnswersGathered, 2: pausingBecameParking, 3: siteBecameReadable },
  },
  ProjectEdit: { machine: projectEditMachine, version: 2, migrate: { 1: invalidBecameMisfit } },
  CategoryCreate: { machine: categoryCreateMachine, version: 2, migrate: { 1: invalidBecameMisfit } },
  KeywordGeneration: {
    machine: keywordGenerationMachine,
    version: 3,
    migrate: { 1: invalidBecameMisfit, 2: keywordSearchGathered },
  },
  ConnectWordPress: {
    machine: connectWordPressMachine,
    version: 3,
    migrate: { 2: wordPressAnswersGathered },
  },
  KeywordUpload: { machine: keywordUploadMachine, version: 1 },
  PriceInput: { machine: priceInputMachine, version: 1 },
  ReviewGeneration: { machine: reviewGenerationMachine, version: 1 },
  DescriptionGenerate: { machine: descriptionGenerateMachine, version: 1 },
  ArticlePublish: { machine: articlePublishMachine, version: 2, migrate: { 1: offerBecameChangeable } },
  ArticleRefresh: { machine: articleRefreshMachine, version: 1 },
  CompetitorAnalysis: { machine: competitorAnalysisMachine, version: 1 },
  SiteAudit: { machine: siteAuditMachine, version: 1 },
  ScheduleSetup: { machine: scheduleSetupMachine, version: 1 },
  ConnectTelegram: { machine: connectTelegramMachine, version: 1 },
  SocialPostPublish: { machine: socialPostPublishMachine, version: 1 },
  ConnectVK: { machine: connectVkMachine, version: 1 },
  ConnectPinterest: { machine: connectPinterestMachine, version: 1 },
  ArticlePipeline: {
    machine: articlePipelineMachine,
    version: 3,
    parking: articleParking,
    migrate: { 1: categoryFilledOnTheWay, 2: siteBecameReadable },
  },
  SocialPipeline: {
    machine: socialPipelineMachine,
    version: 2,
    parking: socialParking,
    migrate: { 1: crossPostAdded },
  },
  AIChat: { machine: aiChatMachine, version: 1 },
} as const satisfies FlowRegistry;

export type FlowId = keyof typeof registry;

export const isFlowId = (id: string): id is FlowId => Object.hasOwn(registry, id);

/** `ProjectCreate` → `project-create`: the name of a flow's files. WordPress and AI are one word each. */
export const flowFileName = (id: string): string =>
  id
    .replace('WordPress', 'Wordpress')
    .replace('AI', 'Ai')
    .replace(/(?<=[a-z0-9])[A-Z]/gu, '-$&')
    .toLowerCase();
