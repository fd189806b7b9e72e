import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { flowFileName, isFlowId, registry } from '../../machines/registry.ts';
import type { App } from '../compose.ts';
import { parseSession } from '../engine/session.ts';
import type { HttpHandler } from '../http/server.ts';
import { makeMonitor } from '../store/autopost/monitor.ts';
import { makeOperators } from '../store/autopost/operators.ts';
import { autopostHttp } from './autopost-http.ts';
import { makeAutopostOverview } from './autopost-overview.ts';
import { demoEndpoint, demoWorkspace } from './demo-channels.ts';
import { forgetPerson } from './forget-person.ts';
import { forgetPosts } from './forget-posts.ts';
import { drawPicture } from './openrouter/author/draw-picture.ts';
import { type LiveState, sandboxPage } from './page-server.ts';
import { startSandboxChannels } from './sandbox-channels.ts';
import type { SandboxSite } from './sandbox-site.ts';
import { onPort } from './stand-in.ts';
import { startTelegramStandIn } from './telegram/start.ts';

/** Visibly not a secret: it opens nothing but the stand-in on this machine. */
const TOKEN = '1000000001:SANDBOX-TOKEN-OF-NO-VALUE-AT-ALL';

const SAMPLE_SCENE = 'Набережная города, праздник, лето';

/** Who acts in the runbook of autoposting when somebody presses a button of the page. */
const AT_THE_PAGE = { operator: 'sandbox', reason: 'pressed on the page' };

/**
 * Telegram without Telegram: the stand-in, the channels that are posted to there and in MAX, and the page on which one
 * plays the people. Each on its port, if that is free, so that other processes find it there.
 */
export async function startSandbox(
  folder: string,
  site: SandboxSite,
  ports: { telegram: number; max: number } = { telegram: 0, max: 0 },
) {
  const telegram = await onPort(ports.telegram, (port) =>
    startTelegramStandIn({ token: TOKEN, port, journal: join(folder, 'telegram.jsonl') }),
  );
  const channels = await startSandboxChannels({ folder, port: ports.max, telegram });
  return { token: TOKEN, apiRoot: telegram.url, maxBaseUrl: channels.maxBaseUrl, page, close };

  function page(app: App): HttpHandler {
    const flows = Object.keys(registry).map((id) => ({
      id,
      title: app.flows.titleOf(id as keyof typeof registry),
    }));
    const { workspaceId } = demoWorkspace;
    const operators = makeOperators(app.sql);
    return sandboxPage({
      telegram,
      flows,
      liveState,
      chartSvg,
      onReset,
      afterReset: channels.reset,
      arrivals: async () => [site.panel()],
      autopost: autopostHttp({
        channels,
        overview: makeAutopostOverview(makeMonitor(app.sql), workspaceId),
        resume: async (id) => void (await operators.resumeChannel(workspaceId, id, AT_THE_PAGE)),
        chartSvg: () => readChart('delivery'),
        samplePicture: () => drawPicture({ prompt: SAMPLE_SCENE, aspectRatio: '16:9', size: '1K' }),
        ingestSecret: demoEndpoint.secret,
      }),
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
      if (userId === null) await forgetPosts(app.sql, workspaceId);
    }
  }

  async function close(): Promise<void> {
    await Promise.all([telegram.close(), channels.close()]);
  }
}

async function chartSvg(flow: string): Promise<string | null> {
  return isFlowId(flow) ? readChart(flowFileName(flow)) : null;
}

const readChart = (name: string): Promise<string> =>
  readFile(new URL(`../../visualizations/${name}.svg`, import.meta.url), 'utf8');
