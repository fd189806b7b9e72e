import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser } from './browser.ts';
import { fillDataDir } from './stores.ts';

export type SandboxPage = Awaited<ReturnType<typeof openSandboxPage>>;

/** The sandbox as a newcomer starts it, in a process of its own, and its page in a real browser. */
export async function openSandboxPage() {
  const browser = await openBrowser({ width: 1360, height: 860 });
  const dataDir = await mkdtemp(join(tmpdir(), 'seo-master-sandbox-'));
  await fillDataDir(dataDir);
  const port = await freePort();
  let bot = await started();
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000); // a process starts and an article is written within one of these waits
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`http://127.0.0.1:${port}/`);
  return { browser, page, complaints, seen, press, key, say, liveStateIs, killAndRestart, close };

  async function started(): Promise<ChildProcess> {
    const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: dataDir },
    });
    for await (const line of child.stdout) if (String(line).includes('"ready"')) break;
    child.stdout.resume();
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
