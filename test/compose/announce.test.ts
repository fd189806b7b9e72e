import { describe, expect, it } from 'vitest';
import { announce } from '../../src/compose/announce.ts';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';

const TOKEN = '123456:TEST-TOKEN-OF-NO-VALUE-AT-ALL';

/** The settings line and the warnings of a start with these settings. */
function told(env: Record<string, string>) {
  const log = createLog('silent', false);
  const lines: Record<string, unknown>[] = [];
  const warnings: string[] = [];
  const heard = Object.assign(Object.create(log) as typeof log, {
    info: (fields: unknown) => typeof fields === 'object' && lines.push(fields as Record<string, unknown>),
    warn: (text: string) => warnings.push(text),
  });
  const config = loadConfig(env);
  announce(config, 3000, config.suppliers, heard);
  return { settings: lines[0]!, warnings: warnings.join('\n') };
}

describe('the start log', () => {
  it('names everything that keys and switches turn on, and what is off', () => {
    const { settings, warnings } = told({ TELEGRAM_BOT_TOKEN: TOKEN, FEATURE_REVIEWS: '0' });
    expect(settings).toMatchObject({
      telegram: 'long polling',
      cards: 'off',
      vk: 'on',
      max: 'on',
      pinterest: 'off: PINTEREST_APP_ID and PINTEREST_APP_SECRET are not set',
      metrics: 'off',
      reviews: 'off',
      trainer: 'on',
      suppliers: { openRouter: 'off', firecrawl: 'off', serper: 'off', telegraph: 'on' },
    });
    expect(warnings).toContain('OPENROUTER_API_KEY is not set: nothing can be written');
    expect(warnings).toContain('PUBLIC_URL is not set: browsers cannot reach the pictures');
  });

  it('says that cards are taken where the shop is known, and by a stand-in in the sandbox', () => {
    const shop = { YOOKASSA_SHOP_ID: '1', YOOKASSA_SECRET_KEY: 'k' };
    expect(told({ TELEGRAM_BOT_TOKEN: TOKEN, ...shop }).settings.cards).toBe('on');
    const sandbox = told({});
    expect(sandbox.settings).toMatchObject({ cards: 'stand-in', telegram: 'sandbox' });
    expect(sandbox.warnings).toBe('');
  });
});
