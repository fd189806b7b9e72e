import { type ChildProcess, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openBrowser } from './browser.ts';
import { fillDataDir } from './stores.ts';

/** Its own, and those of the stand-ins beside it. */
const PORTS = 8;

export type SandboxPage = Awaited<ReturnType<typeof openSandboxPage>>;

/** The sandbox as a newcomer starts it, in a process of its own, and its page in a real browser. */
export async function openSandboxPage(settings: Readonly<Record<string, string>> = {}) {
  const browser = await openBrowser({ width: 1360, height: 860 });
  const dataDir = await mkdtemp(join(tmpdir(), 'seo-master-sandbox-'));
  await fillDataDir(dataDir);
  const port = await freePorts(PORTS);
  const log: string[] = [];
  let bot = await started();
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000); // a process starts and an article is written within one of these waits
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`http://127.0.0.1:${port}/`);
  return { browser, page, complaints, log, seen, press, key, say, liveStateIs, killAndRestart, close };

  async function started(): Promise<ChildProcess> {
    const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // A script presses faster than a person.
      env: {
        ...{ PATH: process.env.PATH, PORT: String(port), DATA_DIR: dataDir },
        THROTTLE_PER_MINUTE: '1000',
        ...settings,
      },
    });
    const lines = createInterface(child.stdout);
    lines.on('line', (line) => log.push(line));
    for await (const [line] of on(lines, 'line')) if (String(line).includes('"ready"')) break;
    return child;
  }

  async function killAndRestart(): Promise<void> {
    bot.kill('SIGKILL');
    await once(bot, 'exit');
    bot = await started();
  }

  async function seen(text: string): Promise<void> {
    await page.locator('.bubble', { hasText: text }).last().waitFor();
  }

  function key(label: string | RegExp) {
    return page.locator('.key', { hasText: label }).last();
  }

  async function press(label: string): Promise<void> {
    await key(new RegExp(`^${label}$`, 'u')).click();
  }

  async function say(text: string): Promise<void> {
    await page.locator('textarea').fill(text);
    await page.keyboard.press('Enter');
  }

  async function liveStateIs(state: string): Promise<void> {
    await page.locator(`#state-${state}.current`).waitFor();
  }

  async function close(): Promise<void> {
    bot.kill('SIGKILL');
    await browser.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Side by side, from a range out of which the system gives none away: while the bot is down, no other process may take them. */
async function freePorts(amount: number): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    const taken = await Promise.all(Array.from({ length: amount }, (_, n) => isTaken(first + n)));
    if (!taken.includes(true)) return first;
  }
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(true))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(false)));
  });
}
