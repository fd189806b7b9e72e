import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { flowFileName, isFlowId, registry } from '../../machines/registry.ts';
import type { App } from '../compose.ts';
import { parseSession } from '../engine/session.ts';
import type { HttpHandler } from '../http/server.ts';
import { forgetPerson } from './forget-person.ts';
import { type LiveState, sandboxPage } from './page-server.ts';
import type { SandboxSite } from './sandbox-site.ts';
import { startTelegramStandIn } from './telegram/start.ts';

/** Visibly not a secret: it opens nothing but the stand-in on this machine. */
const TOKEN = '1000000001:SANDBOX-TOKEN-OF-NO-VALUE-AT-ALL';

/** Telegram without Telegram: the stand-in, and the page on which one plays the people. */
export async function startSandbox(folder: string, site: SandboxSite) {
  const telegram = await startTelegramStandIn({ token: TOKEN, journal: join(folder, 'telegram.jsonl') });
  return { token: TOKEN, apiRoot: telegram.url, page, close: telegram.close };

  function page(app: App): HttpHandler {
    const flows = Object.keys(registry).map((id) => ({
      id,
      title: app.flows.titleOf(id as keyof typeof registry),
    }));
    return sandboxPage({
      telegram,
      flows,
      liveState,
      chartSvg,
      onReset,
      arrivals: async () => [site.panel()],
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
    }
  }
}

async function chartSvg(flow: string): Promise<string | null> {
  if (!isFlowId(flow)) return null;
  return readFile(new URL(`../../visualizations/${flowFileName(flow)}.svg`, import.meta.url), 'utf8');
}
