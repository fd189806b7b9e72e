import { z } from 'zod';
import { readKey } from './fernet.ts';
import { readDsn } from './sentry-dsn.ts';

/** A setting that is missing or wrong. The message names all of them at once. */
export class BadConfig extends Error {
  override readonly name = 'BadConfig';
}

/** Of MAX itself. */
export const MAX_API = 'https://platform-api2.max.ru';

const flag = z.enum(['0', '1', 'true', 'false', '']).transform((value) => value === '1' || value === 'true');
const redisUrl = z.url({ protocol: /^rediss?$/u });
const httpUrl = z.url({ protocol: /^https?$/u }).transform((url) => url.replace(/\/+$/u, ''));

const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().optional(),
  PUBLIC_URL: httpUrl.optional(),
  RAILWAY_PUBLIC_URL: httpUrl.optional(),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]{20,}$/u, 'expected the form 123456:ABC… that @BotFather gives')
    .optional(),
  TELEGRAM_API_ROOT: httpUrl.default('https://api.telegram.org'),
  TELEGRAM_WEBHOOK_SECRET: z
    .string()
    .regex(/^[\w-]{1,256}$/u, 'expected 1 to 256 letters, digits, - or _')
    .optional(),
  ADMIN_ID: z.coerce.number().int().positive().optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/u }).optional(),
  REDIS_URL: z
    .string()
    .refine((urls) => urls.split(',').every((url) => redisUrl.safeParse(url.trim()).success), {
      message: 'expected redis://… or rediss://…, or the nodes of a cluster with commas between them',
    })
    .optional(),
  ENCRYPTION_KEY: z
    .string()
    .transform((keys) => keys.split(',').map((key) => key.trim()))
    .refine((keys) => keys.every((key) => readKey(key) !== null), {
      message: 'expected 32 bytes in base64url, or several such keys with commas between them',
    })
    .optional(),
  OPENROUTER_API_KEY: z.string().optional(),
  OPENROUTER_BASE_URL: httpUrl.optional(),
  DATAFORSEO_LOGIN: z.string().optional(),
  DATAFORSEO_PASSWORD: z.string().optional(),
  DATAFORSEO_BASE_URL: httpUrl.optional(),
  YANDEX_SEARCH_API_KEY: z.string().optional(),
  YANDEX_FOLDER_ID: z.string().optional(),
  YANDEX_SEARCH_BASE_URL: httpUrl.optional(),
  FIRECRAWL_API_KEY: z.string().optional(),
  FIRECRAWL_BASE_URL: httpUrl.optional(),
  SERPER_API_KEY: z.string().optional(),
  SERPER_BASE_URL: httpUrl.optional(),
  PAGESPEED_API_KEY: z.string().optional(),
  PAGESPEED_BASE_URL: httpUrl.optional(),
  TELEGRAPH_ACCESS_TOKEN: z.string().optional(),
  TELEGRAPH_BASE_URL: httpUrl.optional(),
  MAX_BASE_URL: httpUrl.optional(),
  QSTASH_TOKEN: z.string().optional(),
  QSTASH_URL: httpUrl.default('https://qstash.upstash.io'),
  QSTASH_CURRENT_SIGNING_KEY: z.string().optional(),
  QSTASH_NEXT_SIGNING_KEY: z.string().optional(),
  VK_BASE_URL: httpUrl.optional(),
  VK_SITE_URL: httpUrl.default('https://vk.com'),
  PINTEREST_APP_ID: z.string().optional(),
  PINTEREST_APP_SECRET: z.string().optional(),
  PINTEREST_BASE_URL: httpUrl.default('https://api.pinterest.com/v5'),
  PINTEREST_SITE_URL: httpUrl.default('https://www.pinterest.com'),
  STARS_LIST: z.enum(['base', 'x4']).default('x4'),
  STARS_USD_RATE: z.coerce.number().positive().default(0.013),
  USD_RUB_RATE: z.coerce.number().positive().default(92.5),
  YOOKASSA_SHOP_ID: z.string().optional(),
  YOOKASSA_SECRET_KEY: z.string().optional(),
  YOOKASSA_BASE_URL: httpUrl.default('https://api.yookassa.ru/v3'),
  YOOKASSA_RETURN_URL: httpUrl.optional(),
  YOOKASSA_RECEIPT_EMAIL: z.email().optional(),
  TRUSTED_PROXY_HOPS: z.coerce.number().int().min(0).default(1),
  SUPPORT_CONTACT: z.string().optional(),
  POLICY_URL: httpUrl.optional(),
  OFFER_URL: httpUrl.optional(),
  SUPABASE_URL: httpUrl.optional(),
  SUPABASE_KEY: z.string().optional(),
  SUPABASE_STORAGE_BUCKET: z.string().default('content-images'),
  AUTOPOST_CONCURRENCY: z.coerce.number().int().positive().default(10),
  AUTOPOST_CLAIMED_LEASE_SECONDS: z.coerce.number().positive().default(30),
  AUTOPOST_SENDING_LEASE_SECONDS: z.coerce.number().positive().default(60),
  FEATURE_SHOP_BOT: flag.default(true),
  FEATURE_TRAINER: flag.default(true),
  FEATURE_REVIEWS: flag.default(true),
  TELEGRAM_RICH_MESSAGES: flag.default(false),
  ALLOW_PRIVATE_URLS: flag.optional(),
  HEALTH_CHECK_TOKEN: z.string().min(8, 'expected at least 8 characters').optional(),
  INDEXNOW_URL: z
    .string()
    .transform((urls) => urls.split(',').map((url) => url.trim()))
    .refine((urls) => urls.every((url) => httpUrl.safeParse(url).success), {
      message: 'expected an address, or several with commas between them',
    })
    .optional(),
  METRICS_TOKEN: z.string().min(8, 'expected at least 8 characters').optional(),
  SENTRY_DSN: z
    .string()
    .transform((dsn, context) => {
      const address = readDsn(dsn);
      if (!address)
        context.addIssue({ code: 'custom', message: 'expected the form https://key@host/number' });
      return address;
    })
    .optional(),
  FSM_TTL_SECONDS: z.coerce.number().int().positive().default(86_400),
  FSM_INACTIVITY_TIMEOUT: z.coerce.number().int().positive().default(1_800),
  THROTTLE_PER_MINUTE: z.coerce.number().int().positive().default(30),
  DATA_DIR: z.string().min(1).default('.data'),
  SANDBOX: flag.default(false),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

/** One of a pair alone would switch nothing on, and say nothing. */
const pairs = [
  ['DATAFORSEO_LOGIN', 'DATAFORSEO_PASSWORD'],
  ['YOOKASSA_SHOP_ID', 'YOOKASSA_SECRET_KEY'],
  ['PINTEREST_APP_ID', 'PINTEREST_APP_SECRET'],
  ['SUPABASE_URL', 'SUPABASE_KEY'],
] as const;

/** Null: switched off, or, in the sandbox, played by a stand-in. */
export type SupplierSettings = {
  openRouter: { baseUrl: string; apiKey: string } | null;
  dataForSeo: { baseUrl: string; login: string; password: string } | null;
  yandex: { baseUrl: string; apiKey: string; folderId: string } | null;
  /** `webUrl`: only of the stand-in, which has a page for every address: where those pages are opened. */
  firecrawl: { baseUrl: string; apiKey: string; webUrl?: string } | null;
  serper: { baseUrl: string; apiKey: string } | null;
  pageSpeed: { baseUrl: string; apiKey: string | undefined } | null;
  telegraph: { baseUrl: string; accessToken: string | undefined } | null;
};

export type YooKassaSettings = {
  baseUrl: string;
  shopId: string;
  secretKey: string;
  /** Where people come back from the payment page; undefined: to the bot. */
  returnUrl: string | undefined;
  /** For receipts of people who gave no address of their own; undefined: such a payment has no receipt. */
  receiptEmail: string | undefined;
};

export type Config = ReturnType<typeof loadConfig>;

/** Null: the bot asks Telegram for updates itself. */
export function webhookOf({ publicUrl, telegram }: Config): { url: string; secret: string } | null {
  if (!publicUrl || !telegram.token || !telegram.webhookSecret) return null;
  return { url: `${publicUrl}/webhook`, secret: telegram.webhookSecret };
}

/** Reads the settings once, at the start. An empty or blank variable counts as absent. */
export function loadConfig(env: Record<string, string | undefined>) {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim() !== ''));
  const parsed = environment.safeParse(present);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const publicUrl = present.PUBLIC_URL ?? present.RAILWAY_PUBLIC_URL;
  if (present.TELEGRAM_BOT_TOKEN && publicUrl && !present.TELEGRAM_WEBHOOK_SECRET) {
    problems.push('TELEGRAM_WEBHOOK_SECRET: required together with PUBLIC_URL, it protects the webhook');
  }
  if (present.QSTASH_TOKEN) {
    for (const name of ['PUBLIC_URL', 'QSTASH_CURRENT_SIGNING_KEY', 'QSTASH_NEXT_SIGNING_KEY'])
      if (!present[name] && !(name === 'PUBLIC_URL' && publicUrl))
        problems.push(`${name}: required together with QSTASH_TOKEN, whose calls come from outside`);
  }
  for (const [one, other] of pairs)
    for (const [given, missing] of [[one, other] as const, [other, one] as const])
      if (present[given] && !present[missing]) problems.push(`${missing}: required together with ${given}`);
  if (present.YANDEX_SEARCH_API_KEY && !present.YANDEX_FOLDER_ID) {
    problems.push('YANDEX_FOLDER_ID: required together with YANDEX_SEARCH_API_KEY, every request names it');
  }
  // A key file dies with the container it lies in, and the credentials of every customer with it.
  if (publicUrl?.startsWith('https:') && present.DATABASE_URL && !present.ENCRYPTION_KEY) {
    problems.push('ENCRYPTION_KEY: required together with DATABASE_URL and PUBLIC_URL, it seals credentials');
  }
  if (!parsed.success || problems.length > 0) {
    throw new BadConfig(
      `The settings are not right:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
  }
  const settings = parsed.data;
  /** Without a bot token the sandbox page is the only messenger. */
  const isTelegramPlayed = settings.TELEGRAM_BOT_TOKEN === undefined;
  const sandbox = settings.SANDBOX || isTelegramPlayed;
  return {
    port: settings.PORT,
    /** Undefined: every interface. The page of the sandbox acts for people without asking who is there. */
    host: settings.HOST ?? (isTelegramPlayed ? '127.0.0.1' : undefined),
    publicUrl: settings.PUBLIC_URL ?? settings.RAILWAY_PUBLIC_URL,
    telegram: {
      token: settings.TELEGRAM_BOT_TOKEN,
      apiRoot: settings.TELEGRAM_API_ROOT,
      webhookSecret: settings.TELEGRAM_WEBHOOK_SECRET,
    },
    adminId: settings.ADMIN_ID,
    databaseUrl: settings.DATABASE_URL,
    redisUrl: settings.REDIS_URL,
    healthCheckToken: settings.HEALTH_CHECK_TOKEN,
    metricsToken: settings.METRICS_TOKEN,
    /** Null: errors stay here. */
    sentry: settings.SENTRY_DSN ?? null,
    engine: {
      ttlSeconds: settings.FSM_TTL_SECONDS,
      inactivityMs: settings.FSM_INACTIVITY_TIMEOUT * 1000,
      throttlePerMinute: settings.THROTTLE_PER_MINUTE,
    },
    /** Scheduled runs at once in a process, as many as the models can be asked at once; how long a call waits for room. */
    runs: { most: 10, patienceMs: 300_000 },
    /** The first one writes, all of them read. Undefined: a key file under `dataDir`. */
    encryptionKeys: settings.ENCRYPTION_KEY,
    suppliers: suppliersOf(settings, sandbox),
    /** MAX for everybody's bots: their tokens are with their connections. Null: played by a stand-in. */
    max: settings.MAX_BASE_URL || !sandbox ? { baseUrl: settings.MAX_BASE_URL ?? MAX_API } : null,
    /** Null: an embedded scheduler makes the calls of schedules. */
    qstash: settings.QSTASH_TOKEN
      ? {
          baseUrl: settings.QSTASH_URL,
          token: settings.QSTASH_TOKEN,
          currentKey: settings.QSTASH_CURRENT_SIGNING_KEY!,
          nextKey: settings.QSTASH_NEXT_SIGNING_KEY!,
        }
      : null,
    /** VK, for everybody's keys. Null: played by a stand-in. */
    vk:
      settings.VK_BASE_URL || !sandbox
        ? { baseUrl: settings.VK_BASE_URL ?? 'https://api.vk.ru', siteUrl: settings.VK_SITE_URL }
        : null,
    /** Our application there. Null: switched off, or, in the sandbox, played by a stand-in. */
    pinterest:
      settings.PINTEREST_APP_ID && settings.PINTEREST_APP_SECRET
        ? {
            ...{ appId: settings.PINTEREST_APP_ID, appSecret: settings.PINTEREST_APP_SECRET },
            ...{ baseUrl: settings.PINTEREST_BASE_URL, siteUrl: settings.PINTEREST_SITE_URL },
          }
        : null,
    /** Null: pictures live in a folder under `dataDir`. */
    supabase:
      settings.SUPABASE_URL && settings.SUPABASE_KEY
        ? {
            baseUrl: settings.SUPABASE_URL,
            key: settings.SUPABASE_KEY,
            bucket: settings.SUPABASE_STORAGE_BUCKET,
          }
        : null,
    /** The IndexNow endpoints that are told of new articles. Empty in the sandbox, whose sites are on this machine. */
    indexNow:
      settings.INDEXNOW_URL ??
      (sandbox ? [] : ['https://yandex.com/indexnow', 'https://api.indexnow.org/indexnow']),
    /** For costs, which suppliers name in dollars. */
    usdRate: settings.USD_RUB_RATE,
    stars: {
      list: settings.STARS_LIST,
      /** What the seller gets for one. */
      rubEach: settings.STARS_USD_RATE * settings.USD_RUB_RATE,
    },
    /** Null: cards are not taken, or, in the sandbox, taken by a stand-in. */
    yookassa: yookassaOf(settings),
    /** How many proxies of ours stand between the internet and this process: what the others wrote is not believed. */
    trustedProxyHops: settings.TRUSTED_PROXY_HOPS,
    /** Who answers for the bot, and on what terms; undefined: not said. */
    owner: {
      support: settings.SUPPORT_CONTACT,
      policyUrl: settings.POLICY_URL,
      offerUrl: settings.OFFER_URL,
    },
    autopost: {
      concurrency: settings.AUTOPOST_CONCURRENCY,
      claimedLeaseMs: settings.AUTOPOST_CLAIMED_LEASE_SECONDS * 1000,
      sendingLeaseMs: settings.AUTOPOST_SENDING_LEASE_SECONDS * 1000,
    },
    /** Bots of shops in MAX answer at /api/max. */
    shopBot: settings.FEATURE_SHOP_BOT,
    /** Samples of reviews can be ordered. */
    reviews: settings.FEATURE_REVIEWS,
    /** Whole articles are shown in the chat. */
    richMessages: settings.TELEGRAM_RICH_MESSAGES,
    /** The dialogue trainer: its commands and pages. */
    trainer: settings.FEATURE_TRAINER,
    /** With a real token strangers type addresses: of this machine, only the stand-ins are open to them. */
    allowPrivateUrls: settings.ALLOW_PRIVATE_URLS ?? isTelegramPlayed,
    dataDir: settings.DATA_DIR,
    sandbox,
    logLevel: settings.LOG_LEVEL,
  };
}

function yookassaOf(settings: z.infer<typeof environment>): YooKassaSettings | null {
  const { YOOKASSA_SHOP_ID: shopId, YOOKASSA_SECRET_KEY: secretKey } = settings;
  if (!shopId || !secretKey) return null;
  return {
    baseUrl: settings.YOOKASSA_BASE_URL,
    shopId,
    secretKey,
    returnUrl: settings.YOOKASSA_RETURN_URL,
    receiptEmail: settings.YOOKASSA_RECEIPT_EMAIL,
  };
}

/** A key or an address switches a supplier on; two of them serve strangers too and need neither. */
function suppliersOf(settings: z.infer<typeof environment>, sandbox: boolean): SupplierSettings {
  const keyed = (apiKey: string | undefined, baseUrl: string | undefined, usual: string) =>
    apiKey || baseUrl ? { baseUrl: baseUrl ?? usual, apiKey: apiKey ?? '' } : null;
  return {
    openRouter: keyed(
      settings.OPENROUTER_API_KEY,
      settings.OPENROUTER_BASE_URL,
      'https://openrouter.ai/api/v1',
    ),
    dataForSeo:
      settings.DATAFORSEO_LOGIN || settings.DATAFORSEO_BASE_URL
        ? {
            baseUrl: settings.DATAFORSEO_BASE_URL ?? 'https://api.dataforseo.com/v3',
            login: settings.DATAFORSEO_LOGIN ?? '',
            password: settings.DATAFORSEO_PASSWORD ?? '',
          }
        : null,
    yandex:
      settings.YANDEX_SEARCH_API_KEY || settings.YANDEX_SEARCH_BASE_URL
        ? {
            baseUrl: settings.YANDEX_SEARCH_BASE_URL ?? 'https://searchapi.api.cloud.yandex.net',
            apiKey: settings.YANDEX_SEARCH_API_KEY ?? '',
            folderId: settings.YANDEX_FOLDER_ID ?? '',
          }
        : null,
    firecrawl: keyed(settings.FIRECRAWL_API_KEY, settings.FIRECRAWL_BASE_URL, 'https://api.firecrawl.dev/v2'),
    serper: keyed(settings.SERPER_API_KEY, settings.SERPER_BASE_URL, 'https://google.serper.dev'),
    pageSpeed:
      settings.PAGESPEED_API_KEY || settings.PAGESPEED_BASE_URL || !sandbox
        ? {
            baseUrl: settings.PAGESPEED_BASE_URL ?? 'https://www.googleapis.com/pagespeedonline/v5',
            apiKey: settings.PAGESPEED_API_KEY,
          }
        : null,
    telegraph:
      settings.TELEGRAPH_ACCESS_TOKEN || settings.TELEGRAPH_BASE_URL || !sandbox
        ? {
            baseUrl: settings.TELEGRAPH_BASE_URL ?? 'https://api.telegra.ph',
            accessToken: settings.TELEGRAPH_ACCESS_TOKEN,
          }
        : null,
  };
}
