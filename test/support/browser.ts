import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** In CI a browser that is not there would be a proof that silently went away. */
export const noBrowser = !existsSync(CHROMIUM) && process.env.CI !== 'true';

const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The system's Chromium with a profile of its own, which goes when it is closed. */
export async function openBrowser(viewport = { width: 1300, height: 820 }) {
  const profile = await mkdtemp(join(tmpdir(), 'seo-master-browser-'));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    args: ARGS,
    viewport,
    locale: 'ru-RU',
  });
  return {
    newPage: () => browser.newPage(),
    async close() {
      await browser.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
