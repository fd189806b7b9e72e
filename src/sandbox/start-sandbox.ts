import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { flowFileName, isFlowId, registry } from '../../machines/registry.ts';
import { makeMonitor } from '../autopost/store/monitor.ts';
import { makeOperators } from '../autopost/store/operators.ts';
import type { App } from '../compose/app.ts';
import { parseSession } from '../engine/session.ts';
import type { HttpHandler } from '../http/server.ts';
import { autopostHttp } from './autopost-http.ts';
import { makeAutopostOverview } from './autopost-overview.ts';
import { demoEndpoint, demoWorkspace } from './demo-channels.ts';
import { demoShop } from './demo-shop.ts';
import { forgetCustomers } from './forget-customers.ts';
import { forgetPerson } from './forget-person.ts';
import { forgetPosts } from './forget-posts.ts';
import type { MaxStandIn } from './max/start.ts';
import { drawPicture } from './openrouter/author/draw-picture.ts';
import { openOwnChannels } from './own-channels.ts';
import { type LiveState, sandboxPage } from './page-server.ts';
import { openSandboxChannels } from './sandbox-channels.ts';
import type { SandboxPinterest } from './sandbox-pinterest.ts';
import { openSandboxShop } from './sandbox-shop.ts';
import type { SandboxSite } from './sandbox-site.ts';
import type { SandboxVk } from './sandbox-vk.ts';
import { shopHttp } from './shop-http.ts';
import { makeShopOverview } from './shop-overview.ts';
import { onPort } from './stand-in.ts';
import { startTelegramStandIn } from './telegram/start.ts';

/** Visibly not a secret: it opens nothing but the stand-in on this machine. */
const TOKEN = '1000000001:SANDBOX-TOKEN-OF-NO-VALUE-AT-ALL';

type Surroundings = {
  folder: string;
  port: number;
  site: SandboxSite;
  max: MaxStandIn;
  vk: SandboxVk;
  pinterest: SandboxPinterest;
};

const SAMPLE_SCENE = 'Набережная города, праздник, лето';

/** Who acts in the runbook of autoposting when somebody presses a button of the page. */
const AT_THE_PAGE = { operator: 'sandbox', reason: 'pressed on the page' };

/**
 * Telegram without Telegram: the stand-in, on its port if that is free, so that other processes find it there; the
 * channels that are posted to there and in MAX; and the page on which one plays the people.
 */
export async function startSandbox({ folder, port, site, max, vk, pinterest }: Surroundings) {
  const telegram = await onPort(port, (free) =>
    startTelegramStandIn({ token: TOKEN, port: free, journal: join(folder, 'telegram.jsonl') }),
  );
  const channels = openSandboxChannels({ telegram, max });
  const ownChannels = openOwnChannels({ telegram, max });
  const shop = openSandboxShop(max);
  return { token: TOKEN, apiRoot: telegram.url, page, close: telegram.close };

  function page(app: App): HttpHandler {
    const flows = Object.keys(registry).map((id) => ({
      id,
      title: app.flows.titleFor(id) ?? id,
    }));
    const { workspaceId } = demoWorkspace;
    const operators = makeOperators(app.sql);
    return sandboxPage({
      telegram,
      flows,
      liveState,
      chartSvg,
      onReset,
      afterReset() {
        channels.reset();
        shop.reset();
      },
      arrivals: async (userId) =>
        // The page asks before anybody is chosen.
        telegram.people.list().some(({ id }) => id === userId)
          ? [site.panel(userId), ...ownChannels.panels(userId), vk.panel(userId), pinterest.panel(userId)]
          : [],
      act: (userId, panel) => panel === 'max' && ownChannels.addToMax(userId),
      autopost: autopostHttp({
        channels,
        overview: makeAutopostOverview(makeMonitor(app.sql), workspaceId),
        resume: async (id) => void (await operators.resumeChannel(workspaceId, id, AT_THE_PAGE)),
        chartSvg: () => readChart('delivery'),
        samplePicture: () => drawPicture({ prompt: SAMPLE_SCENE, aspectRatio: '16:9', size: '1K' }),
        ingestSecret: demoEndpoint.secret,
      }),
      shop: app.shopBot
        ? shopHttp({
            shop,
            overview: makeShopOverview(app.sql, demoShop.workspaceId),
            chartSvg: () => readChart('shop-dialogue'),
          })
        : null,
    });

    async function liveState(userId: number): Promise<LiveState | null> {
      const stored = await app.sessions.peek(userId);
      const run = stored === null ? null : parseSession(stored)?.flow;
      if (!run) return null;
      const { id, title, state, busy } = app.flows.restore(run);
      return { flow: id, title, state, busy, version: run.version, context: run.snapshot.context };
    }

    async function onReset(userId: number | null): Promise<void> {
      const everybody = telegram.people.list().map(({ id }) => id);
      for (const id of userId === null ? everybody : [userId]) {
        await app.sessions.forget(id);
        await forgetPerson(app.sql, id);
      }
      if (userId !== null) return;
      await forgetPosts(app.sql, workspaceId);
      await forgetCustomers(app.sql, demoShop.workspaceId);
    }
  }
}

async function chartSvg(flow: string): Promise<string | null> {
  return isFlowId(flow) ? readChart(flowFileName(flow)) : null;
}

const readChart = (name: string): Promise<string> =>
  readFile(new URL(`../../visualizations/${name}.svg`, import.meta.url), 'utf8');
