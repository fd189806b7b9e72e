import { describe, expect, it } from 'vitest';
import { BadConfig, loadConfig } from '../src/config.ts';

/** Visibly no secrets: 32 bytes of the same letter. */
const KEYS = ['A', 'B'].map((letter) => Buffer.alloc(32, letter).toString('base64url'));
const TOKEN = '123456:TEST-TOKEN-OF-NO-VALUE-AT-ALL';

function problemsOf(env: Record<string, string>): string {
  try {
    loadConfig(env);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(BadConfig);
    return (error as BadConfig).message;
  }
}

describe('the settings', () => {
  it('are all optional: with none of them there is a sandbox', () => {
    expect(loadConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: undefined,
      telegram: { token: undefined, apiRoot: 'https://api.telegram.org', webhookSecret: undefined },
      adminId: undefined,
      databaseUrl: undefined,
      redisUrl: undefined,
      healthCheckToken: undefined,
      sentry: null,
      engine: { ttlSeconds: 86_400, inactivityMs: 1_800_000, throttlePerMinute: 30 },
      dataDir: '.data',
      sandbox: true,
      encryptionKeys: undefined,
      suppliers: {
        openRouter: null,
        dataForSeo: null,
        yandex: null,
        firecrawl: null,
        serper: null,
        pageSpeed: null,
        telegraph: null,
      },
      max: null,
      qstash: null,
      vk: null,
      pinterest: null,
      supabase: null,
      indexNow: [],
      usdRate: 92.5,
      stars: { list: 'x4', rubEach: 0.013 * 92.5 },
      yookassa: null,
      trustedProxyHops: 1,
      owner: { support: undefined, policyUrl: undefined, offerUrl: undefined },
      autopost: { concurrency: 10, claimedLeaseMs: 30_000, sendingLeaseMs: 60_000 },
      runs: { most: 10, patienceMs: 300_000 },
      shopBot: true,
      reviews: true,
      richMessages: false,
      trainer: true,
      allowPrivateUrls: true,
      logLevel: 'info',
    });
  });

  it('are taken as given', () => {
    const config = loadConfig({
      PORT: '8080',
      TELEGRAM_BOT_TOKEN: TOKEN,
      TELEGRAM_API_ROOT: 'http://127.0.0.1:8081/',
      PUBLIC_URL: 'https://bot.example///',
      TELEGRAM_WEBHOOK_SECRET: 'a_secret-1',
      ADMIN_ID: '42',
      DATABASE_URL: 'postgres://bot:p%40ss@db:5432/bot',
      REDIS_URL: 'rediss://:secret@redis:6380/1',
      ENCRYPTION_KEY: `${KEYS[0]}, ${KEYS[1]}`,
      FSM_INACTIVITY_TIMEOUT: '60',
      LOG_LEVEL: 'debug',
    });
    expect(config).toMatchObject({
      port: 8080,
      publicUrl: 'https://bot.example',
      telegram: { token: TOKEN, apiRoot: 'http://127.0.0.1:8081', webhookSecret: 'a_secret-1' },
      adminId: 42,
      databaseUrl: 'postgres://bot:p%40ss@db:5432/bot',
      redisUrl: 'rediss://:secret@redis:6380/1',
      encryptionKeys: KEYS,
      engine: { inactivityMs: 60_000 },
      sandbox: false,
      logLevel: 'debug',
    });
  });

  it('that are empty count as absent', () => {
    const empty = Object.fromEntries(
      [
        'PORT',
        'TELEGRAM_BOT_TOKEN',
        'PUBLIC_URL',
        'ADMIN_ID',
        'DATABASE_URL',
        'REDIS_URL',
        'SANDBOX',
        'LOG_LEVEL',
      ].map((name) => [name, '']),
    );
    expect(loadConfig(empty)).toEqual(loadConfig({}));
    expect(loadConfig({ PORT: ' ' }).port, 'a blank is no port').toBe(3000);
  });

  it('of others are none of its business', () => {
    expect(loadConfig({ HOME: '/root', PATH: '' })).toEqual(loadConfig({}));
  });

  it('with several mistakes name them all at once', () => {
    const message = problemsOf({
      PORT: '70000',
      TELEGRAM_BOT_TOKEN: 'my-token',
      TELEGRAM_API_ROOT: 'ftp://telegram',
      PUBLIC_URL: 'bot.example',
      ADMIN_ID: '-1',
      DATABASE_URL: 'mysql://db',
      REDIS_URL: 'localhost:6379',
      ENCRYPTION_KEY: 'short',
      OPENROUTER_BASE_URL: 'openrouter',
      HEALTH_CHECK_TOKEN: 'short',
      FSM_TTL_SECONDS: '0',
      FSM_INACTIVITY_TIMEOUT: 'soon',
      THROTTLE_PER_MINUTE: '1.5',
      SANDBOX: 'yes',
      LOG_LEVEL: 'loud',
    });
    const named = message
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(':', 1)[0]);
    expect(named.toSorted()).toEqual([
      'ADMIN_ID',
      'DATABASE_URL',
      'ENCRYPTION_KEY',
      'FSM_INACTIVITY_TIMEOUT',
      'FSM_TTL_SECONDS',
      'HEALTH_CHECK_TOKEN',
      'LOG_LEVEL',
      'OPENROUTER_BASE_URL',
      'PORT',
      'PUBLIC_URL',
      'REDIS_URL',
      'SANDBOX',
      'TELEGRAM_API_ROOT',
      'TELEGRAM_BOT_TOKEN',
      'TELEGRAM_WEBHOOK_SECRET',
      'THROTTLE_PER_MINUTE',
    ]);
  });

  it('that are wrong are named, not quoted: a secret does not end in a log', () => {
    const message = problemsOf({
      TELEGRAM_BOT_TOKEN: 'bot123456:top-secret',
      HEALTH_CHECK_TOKEN: 'hush',
      DATABASE_URL: 'mysql://root:hunter2@db',
    });
    expect(message).toContain('TELEGRAM_BOT_TOKEN');
    expect(message).not.toMatch(/top-secret|hush|hunter2/);
  });

  it('need a key that outlives the process where credentials of others are kept', () => {
    const env = { PUBLIC_URL: 'https://bot.example', DATABASE_URL: 'postgres://db/bot' };
    expect(problemsOf(env)).toContain('ENCRYPTION_KEY');
    expect(loadConfig({ ...env, ENCRYPTION_KEY: KEYS[0] }).encryptionKeys).toEqual([KEYS[0]]);
  });

  it('want the folder of Yandex beside its key: every request names it', () => {
    expect(() => loadConfig({ YANDEX_SEARCH_API_KEY: 'k' })).toThrow(/YANDEX_FOLDER_ID: required/u);
    expect(loadConfig({ YANDEX_SEARCH_API_KEY: 'k', YANDEX_FOLDER_ID: 'f' }).suppliers.yandex).toEqual({
      baseUrl: 'https://searchapi.api.cloud.yandex.net',
      apiKey: 'k',
      folderId: 'f',
    });
  });

  it.each([
    ['DATAFORSEO_LOGIN', 'DATAFORSEO_PASSWORD'],
    ['YOOKASSA_SHOP_ID', 'YOOKASSA_SECRET_KEY'],
    ['PINTEREST_APP_ID', 'PINTEREST_APP_SECRET'],
    ['SUPABASE_URL', 'SUPABASE_KEY'],
  ])('say so when of %s and %s only one is there, which switches nothing on', (one, other) => {
    expect(problemsOf({ [one]: 'https://one.example' })).toContain(`${other}: required together with ${one}`);
    expect(problemsOf({ [other]: 'x' })).toContain(`${one}: required together with ${other}`);
    expect(problemsOf({ [one]: 'https://one.example', [other]: 'x' })).toBe('');
  });

  it('switch a supplier on by its key or its address, and leave the rest to the sandbox', () => {
    const { suppliers } = loadConfig({ SERPER_API_KEY: 'k', FIRECRAWL_BASE_URL: 'http://127.0.0.1:9/v2/' });
    expect(suppliers).toEqual({
      openRouter: null,
      dataForSeo: null,
      yandex: null,
      firecrawl: { baseUrl: 'http://127.0.0.1:9/v2', apiKey: '' },
      serper: { baseUrl: 'https://google.serper.dev', apiKey: 'k' },
      pageSpeed: null,
      telegraph: null,
    });
  });

  it('let suppliers that serve strangers work without a key outside the sandbox', () => {
    const { suppliers } = loadConfig({ TELEGRAM_BOT_TOKEN: TOKEN });
    expect(suppliers.pageSpeed?.baseUrl).toBe('https://www.googleapis.com/pagespeedonline/v5');
    expect(suppliers.telegraph?.baseUrl).toBe('https://api.telegra.ph');
    expect(suppliers.openRouter).toBeNull();
  });

  it('need a webhook secret with a public address, whichever variable names it', () => {
    for (const name of ['PUBLIC_URL', 'RAILWAY_PUBLIC_URL']) {
      const env = { TELEGRAM_BOT_TOKEN: TOKEN, [name]: 'https://bot.example' };
      expect(problemsOf(env)).toContain('TELEGRAM_WEBHOOK_SECRET');
      expect(problemsOf({ ...env, TELEGRAM_WEBHOOK_SECRET: '' })).toContain('TELEGRAM_WEBHOOK_SECRET');
      expect(loadConfig({ ...env, TELEGRAM_WEBHOOK_SECRET: 's' }).publicUrl).toBe('https://bot.example');
    }
    expect(problemsOf({ PUBLIC_URL: 'https://bot.example' }), 'a sandbox has no webhook').toBe('');
  });

  it('prefer the address that was chosen over the one that was given', () => {
    const env = { PUBLIC_URL: 'https://chosen.example', RAILWAY_PUBLIC_URL: 'https://given.example' };
    expect(loadConfig(env).publicUrl).toBe('https://chosen.example');
  });

  it('let a real bot stand in the sandbox', () => {
    expect(loadConfig({ TELEGRAM_BOT_TOKEN: TOKEN, SANDBOX: '1' }).sandbox).toBe(true);
    expect(loadConfig({ TELEGRAM_BOT_TOKEN: TOKEN, SANDBOX: '0' }).sandbox).toBe(false);
  });

  it('open no private address to the people of a real bot, though the rest is played', () => {
    expect(loadConfig({ TELEGRAM_BOT_TOKEN: TOKEN, SANDBOX: '1' }).allowPrivateUrls).toBe(false);
  });

  it('keep the page of the sandbox on this machine, unless told otherwise', () => {
    expect(loadConfig({}).host).toBe('127.0.0.1');
    expect(loadConfig({ HOST: '0.0.0.0' }).host).toBe('0.0.0.0');
    expect(loadConfig({ TELEGRAM_BOT_TOKEN: TOKEN }).host).toBeUndefined();
  });
});
