import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalTag } from '../../autopost/ingest/normalise-post.ts';
import { makeListChannels } from '../../autopost/store/channel-list.ts';
import { makeOperators } from '../../autopost/store/operators.ts';
import { makeWorkspaces, type Workspaces } from '../../autopost/store/workspaces.ts';
import type { ChannelPlatform } from '../../platforms/platforms.ts';
import { fromJson } from './from-json.ts';
import { knownWorkspace } from './known.ts';
import {
  BadArguments,
  count,
  defineSubcommand,
  identifier,
  NothingFound,
  option,
  platform,
  rate,
  tags,
  text,
  withoutUndefined,
  workspace,
} from './subcommand.ts';

const tagList = z.array(z.string().transform(canonicalTag).pipe(z.string().min(1)));
const routeFilter = z.strictObject({
  include_any: tagList.optional(),
  include_all: tagList.optional(),
  exclude: tagList.optional(),
});

const time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/u, 'expected a time as 09:00');
const postingWindow = z
  .partialRecord(z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']), z.array(z.tuple([time, time])))
  .refine((days) => Object.values(days).some((times) => times.length > 0), 'expected at least one time');
const timezone = z.string().refine(isTimezone, 'expected a time zone as Europe/Moscow');
const settings = z.strictObject({
  parse_mode: z.enum(['HTML', 'Markdown', 'None']).optional(),
  disable_preview: z.boolean().optional(),
  recipient: z.enum(['chat', 'user']).optional(),
});

/** A channel, and with it the credentials that open it. The same id again changes what is given, and leaves the rest. */
export const addChannel = defineSubcommand({
  name: 'add-channel',
  summary: 'a channel to post to, or new settings for one',
  changes: true,
  options: {
    workspace,
    id: option('c1', 'how it is named in commands', identifier),
    platform: option('telegram|max', 'where it is; needed at first', platform.optional()),
    target: option('-100…', 'its id there, in Telegram also its @name; needed at first', text.optional()),
    token: option('…', 'the token of the bot that posts there; - reads it from the input', text.optional()),
    auth: option('ref', 'instead of a token: credentials that are kept already', text.optional()),
    group: option('name', 'whose limit it shares; without it, that of its credentials', text.optional()),
    rate: option('1', 'posts a second; 0 for no limit', rate.optional()),
    parallel: option('1', 'posts at once; 1 keeps their order', count.optional()),
    filter: option(
      `'{"include_any": ["…"]}'`,
      'which posts, by their tags; null: all',
      fromJson(routeFilter.nullable()).optional(),
    ),
    mode: option(
      'text|media|mixed',
      'what it takes: posts without files, with files, both',
      z.enum(['text', 'media', 'mixed']).optional(),
    ),
    dedup: option(
      '168',
      'for how many hours the same post is not sent to it again',
      z.coerce.number().int().nonnegative().max(87_600).optional(),
    ),
    title: option('…', 'how people call it', text.optional()),
    tags: option('a,b', 'its own tags', tags.optional()),
    timezone: option('Europe/Moscow', 'of its window', timezone.optional()),
    window: option(
      `'{"mon": [["09:00", "18:00"]]}'`,
      'when it posts; null: always',
      fromJson(postingWindow.nullable()).optional(),
    ),
    settings: option(
      `'{"parse_mode": "HTML"}'`,
      'how it reads posts that name no markup; disable_preview; recipient',
      fromJson(settings).optional(),
    ),
    expire: option(
      '72',
      'for how many hours a post may wait for its turn; 0: for ever',
      z.coerce.number().int().nonnegative().optional(),
    ),
    'allow-duplicates': option(
      null,
      'a post whose fate is unknown is sent again without asking; --no-allow-duplicates: not any more',
      z.boolean().optional(),
    ),
  },
  async run({ sql, sealing, by }, given) {
    const { workspace: workspaceId, id: channelId, token, title, group } = given;
    await knownWorkspace(sql, workspaceId);
    const workspaces = makeWorkspaces(sql, sealing);
    const before = await workspaces.channel(workspaceId, channelId);
    const at = given.platform ?? before?.platform;
    const targetId = given.target ?? before?.targetId;
    if (at === undefined || targetId === undefined)
      throw new BadArguments(`There is no channel "${channelId}" yet: give its --platform and --target.`);
    if (before && before.platform !== at)
      throw new BadArguments(
        `"${channelId}" is a channel of ${before.platform}: give that of ${at} a name of its own.`,
      );
    if (given.target !== undefined && !targets[at].test(targetId))
      throw new BadArguments(`--target: expected ${targetForms[at]}`);
    const twin = (await makeListChannels(sql)(workspaceId)).find(
      (one) => one.platform === at && one.targetId === targetId && one.channelId !== channelId,
    );
    if (twin) throw new BadArguments(`${targetId} is there already, as channel "${twin.channelId}".`);
    const auth = given.auth ?? (token === undefined ? before?.authRef : undefined);
    const authRef = await credentials(workspaces, workspaceId, at, token, auth);
    await workspaces.saveChannel(workspaceId, {
      ...before,
      ...{ channelId, platform: at, targetId, authRef },
      // A group of its own stays; the one of its credentials goes with them.
      rateGroup: group ?? (before && before.rateGroup !== before.authRef ? before.rateGroup : authRef),
      ...withoutUndefined({
        ...{ title, tags: given.tags, timezone: given.timezone, settings: given.settings },
        expireHours: given.expire === 0 ? null : given.expire,
        ...{ rateRps: given.rate, maxParallel: given.parallel, allowDuplicates: given['allow-duplicates'] },
        ...{ sendMode: given.mode, dedupTtlHours: given.dedup },
        routeFilter: given.filter && withoutUndefined(given.filter),
        postingWindow: given.window && withoutUndefined(given.window),
      }),
    });
    const about = { platform: at, target: targetId, auth_ref: authRef };
    await makeOperators(sql).noteConfigured(workspaceId, channelId, about, by);
    return {
      text: `channel ${channelId}: ${at} ${targetId}, credentials ${authRef}.`,
      data: { channelId, ...about },
    };
  },
});

/** A mistake is found here, and not by the first post. */
const targets: Readonly<Record<ChannelPlatform, RegExp>> = {
  telegram: /^(?:-?\d{1,19}|@\w{1,64})$/u,
  max: /^-?\d{1,19}$/u,
};
const targetForms: Readonly<Record<ChannelPlatform, string>> = {
  telegram: 'an id as -1001234567890, or a @name',
  max: 'an id as -71234567890',
};

/** The same token is the same credentials, and so one limit for all its channels. */
async function credentials(
  workspaces: Workspaces,
  workspaceId: string,
  at: ChannelPlatform,
  token: string | undefined,
  auth: string | undefined,
): Promise<string> {
  if (token === undefined && auth === undefined) throw new BadArguments('Expected --token or --auth.');
  const authRef = auth ?? `bot-${createHash('sha256').update(token!).digest('hex').slice(0, 8)}`;
  if (token !== undefined) await workspaces.saveCredential(workspaceId, authRef, at, { token });
  else if ((await workspaces.credential(workspaceId, authRef, at)) === null) {
    throw new NothingFound(`No credentials "${authRef}" for ${at}: give their --token.`);
  }
  return authRef;
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
