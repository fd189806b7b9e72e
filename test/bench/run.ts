/** `npm run bench [case …]`: one line of JSON per case. Everything stays on loopback and ends with the run. */
import { articleScore } from './article-score.ts';
import { articleContent, articleMemory } from './articles.ts';
import { articlesAtOnce } from './articles-at-once.ts';
import { autopostAfterKill } from './autopost-after-kill.ts';
import { autopostDeliveries } from './autopost-deliveries.ts';
import { autopostEnqueue } from './autopost-enqueue.ts';
import { autopostFeeds } from './autopost-feeds.ts';
import { autopostLatency } from './autopost-latency.ts';
import { autopostOldRows } from './autopost-old-rows.ts';
import { busyBot } from './busy-bot.ts';
import { busyPosts } from './busy-posts.ts';
import { bigCategory, priceFile } from './category-tools.ts';
import { dueSlots } from './due-slots.ts';
import { engineDecision } from './engine-decision.ts';
import { idleSessions } from './idle-sessions.ts';
import { killToResume } from './kill-to-resume.ts';
import type { Outcome } from './outcome.ts';
import { ownerFigures } from './owner-figures.ts';
import { personFootprint } from './person-footprint.ts';
import { pictures } from './pictures.ts';
import { pipelineButton } from './pipeline-button.ts';
import { sandboxStart } from './sandbox-start.ts';
import { shopBot } from './shop-bot.ts';
import { wizardWebhook } from './wizard-webhook.ts';

const cases: Record<string, () => Promise<Outcome | Outcome[]>> = {
  'wizard-webhook': wizardWebhook,
  'engine-decision': engineDecision,
  'idle-sessions': idleSessions,
  'person-footprint': personFootprint,
  'kill-to-resume': killToResume,
  'sandbox-start': sandboxStart,
  'article-content': articleContent,
  'article-memory': articleMemory,
  'article-score': articleScore,
  'articles-at-once': articlesAtOnce,
  'busy-bot': busyBot,
  'busy-posts': busyPosts,
  'pipeline-button': pipelineButton,
  pictures,
  'price-file': priceFile,
  'big-category': bigCategory,
  'autopost-enqueue': autopostEnqueue,
  'autopost-deliveries': autopostDeliveries,
  'autopost-latency': autopostLatency,
  'autopost-feeds': autopostFeeds,
  'autopost-old-rows': autopostOldRows,
  'autopost-after-kill': autopostAfterKill,
  'shop-bot': shopBot,
  'owner-figures': ownerFigures,
  'due-slots': dueSlots,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(cases, name));
if (unknown.length > 0) {
  console.error(`Expected ${Object.keys(cases).join(', ')}, got ${unknown.join(', ')}`);
  process.exit(1);
}
for (const name of asked.length > 0 ? asked : Object.keys(cases)) {
  for (const outcome of [await cases[name]!()].flat()) {
    const ratio = outcome.ratio === null ? null : Number(outcome.ratio.toFixed(3));
    console.log(JSON.stringify({ ...outcome, ratio }));
  }
}
