import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FlowId, registry } from '../../machines/registry.ts';
import { readChart } from '../../src/charts/read-chart.ts';
import { watchDecisions } from '../support/decisions.ts';
import { patience } from '../support/patience.ts';
import { type PlayedBot, startPlayedBot } from '../support/played-bot.ts';
import { unbalanced } from '../support/rows.ts';
import { playArticlePublish } from './played-walk-article.ts';
import { playConnectPinterest, playConnectVK } from './played-walk-boards.ts';
import {
  playDescriptionGenerate,
  playKeywordUpload,
  playPriceInput,
  playReviewGeneration,
} from './played-walk-category.ts';
import { playConnectTelegram } from './played-walk-channels.ts';
import { playConnectWordPress } from './played-walk-connect.ts';
import { playKeywordGeneration } from './played-walk-keywords.ts';
import { playArticlePipeline } from './played-walk-pipeline.ts';
import { playSocialPostPublish } from './played-walk-post.ts';
import { playCategoryCreate, playProjectCreate, playProjectEdit } from './played-walk-projects.ts';
import { playArticleRefresh } from './played-walk-refresh.ts';
import { playScheduleSetup } from './played-walk-schedule.ts';
import { playCompetitorAnalysis, playSiteAudit } from './played-walk-site.ts';
import { playSocialPipeline } from './played-walk-social.ts';
import { playAIChat } from './played-walk-trainer.ts';

const plays: Record<FlowId, (played: PlayedBot) => Promise<void>> = {
  ProjectCreate: playProjectCreate,
  ProjectEdit: playProjectEdit,
  CategoryCreate: playCategoryCreate,
  KeywordGeneration: playKeywordGeneration,
  KeywordUpload: playKeywordUpload,
  ReviewGeneration: playReviewGeneration,
  PriceInput: playPriceInput,
  DescriptionGenerate: playDescriptionGenerate,
  ConnectWordPress: playConnectWordPress,
  ConnectTelegram: playConnectTelegram,
  ConnectVK: playConnectVK,
  ConnectPinterest: playConnectPinterest,
  ArticlePublish: playArticlePublish,
  ArticleRefresh: playArticleRefresh,
  CompetitorAnalysis: playCompetitorAnalysis,
  SiteAudit: playSiteAudit,
  ScheduleSetup: playScheduleSetup,
  SocialPostPublish: playSocialPostPublish,
  ArticlePipeline: playArticlePipeline,
  SocialPipeline: playSocialPipeline,
  AIChat: playAIChat,
};

describe('every flow, played by people in Telegram on real services and stores', () => {
  const decisions = watchDecisions();
  let played: PlayedBot;
  beforeAll(async () => {
    played = await startPlayedBot('embedded', { TELEGRAM_RICH_MESSAGES: '1' });
  });
  afterAll(async () => {
    decisions.stop();
    await played.stop();
  });

  it.each(Object.keys(registry) as FlowId[])(
    '%s takes every transition of its chart, and the log tells of each',
    async (id) => {
      await plays[id](played);
      const { edges } = readChart(registry[id].machine);
      const missing = edges.filter((edge) => !decisions.taken[id].has(edge.id));
      const unlogged = edges.filter((edge) => edge.event !== '' && !isLogged(id, edge));
      console.log(`${id}: ${edges.length - missing.length}/${edges.length} transitions played`);
      expect(missing.map((edge) => edge.id)).toEqual([]);
      expect(unlogged.map((edge) => edge.id)).toEqual([]);
    },
    patience(300_000),
  );

  it('leaves every balance as the ledger says', async () => {
    expect([...(await unbalanced(played.bot.app.sql))]).toEqual([]);
  });

  function isLogged(flow: FlowId, { source, event }: { source: string | null; event: string }): boolean {
    return played.lines.some(
      (line) =>
        line.msg === 'transition' && line.flow === flow && line.from === source && line.event === event,
    );
  }
});
