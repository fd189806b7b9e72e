import { z } from 'zod';

/** A setting that is missing or wrong. The message names all of them at once. */
export class BadConfig extends Error {
  override readonly name = 'BadConfig';
}

const flag = z.enum(['0', '1', 'true', 'false', '']).transform((value) => value === '1' || value === 'true');
const httpUrl = z.url({ protocol: /^https?$/u }).transform((url) => url.replace(/\/+$/u, ''));

const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
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
  REDIS_URL: z.url({ protocol: /^rediss?$/u }).optional(),
  HEALTH_CHECK_TOKEN: z.string().min(8, 'expected at least 8 characters').optional(),
  FSM_TTL_SECONDS: z.coerce.number().int().positive().default(86_400),
  FSM_INACTIVITY_TIMEOUT: z.coerce.number().int().positive().default(1_800),
  THROTTLE_PER_MINUTE: z.coerce.number().int().positive().default(30),
  DATA_DIR: z.string().min(1).default('.data'),
  SANDBOX: flag.default(false),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

export type Config = ReturnType<typeof loadConfig>;

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
  if (!parsed.success || problems.length > 0) {
    throw new BadConfig(
      `The settings are not right:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
  }
  const settings = parsed.data;
  return {
    port: settings.PORT,
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
    engine: {
      ttlSeconds: settings.FSM_TTL_SECONDS,
      inactivityMs: settings.FSM_INACTIVITY_TIMEOUT * 1000,
      throttlePerMinute: settings.THROTTLE_PER_MINUTE,
    },
    dataDir: settings.DATA_DIR,
    /** Without a bot token there is nobody to talk to but the page. */
    sandbox: settings.SANDBOX || settings.TELEGRAM_BOT_TOKEN === undefined,
    logLevel: settings.LOG_LEVEL,
  };
}
