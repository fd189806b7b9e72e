import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunStage } from '../../engine/operations.ts';
import type { Log } from '../../log.ts';
import type { Adapter, AdapterCall, PublishAnswer } from '../adapter.ts';
import { OutcomeUnknown } from '../create-once.ts';
import { isDraft, makePost, settlePost, soughtOf, type WordPressArticle } from './article.ts';
import type { WordPress } from './client.ts';
import type { SeoPlugin } from './client-discovery.ts';
import { WordPressFailed } from './client-failed.ts';
import { homeOf } from './client-request.ts';
import { findPost } from './post.ts';
import type { WordPressRun } from './run.ts';
import type { KnownTerms } from './terms.ts';

export type WordPressChannel = {
  /** As the person gave it. */
  url: string;
  login: string;
  appPassword: string;
  /** From the `raw` of an earlier delivery. */
  terms?: Partial<KnownTerms>;
};

type SoughtPost = Pick<WordPressArticle, 'title' | 'slug' | 'html'> & { idempotencyKey: string };
type WordPressPublishing = AdapterCall & { stage: RunStage };

/** What validation learned; nothing secret. */
type WordPressFacts = {
  /** Names the site however its address was written: host without www, and path. */
  identifier: string;
  restRoot: string;
  siteName: string;
  userName: string;
  seoPlugin: SeoPlugin | null;
  authorizationUrl: string | null;
  /** Whether data for search engines survives in posts of this user. */
  keepsJsonLd: boolean;
  /** The user may add plugins to the site; absent in what an earlier version has stored. */
  mayInstallPlugins?: boolean;
};

export type WordPressAdapter = ReturnType<typeof makeWordPressAdapter>;

type Options = {
  wordpress: WordPress;
  log: Log;
  /** Between the two looks for a post whose answer was lost. */
  lookAgainMs?: number;
  pause?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
};

const MARK_LENGTH = 12;
const UNKNOWN =
  'Сайт не подтвердил публикацию, и проверить, появилась ли статья, сейчас не получается. ' +
  'Откройте сайт и посмотрите: если статьи нет, опубликуйте ещё раз.';

export function makeWordPressAdapter({ wordpress, log, lookAgainMs = 5_000, pause = wait }: Options) {
  const adapter: Adapter<WordPressChannel, WordPressArticle, WordPressPublishing> = { validate, publish };
  return { ...adapter, validate, inspect, locate, remove };

  /** Before there is a password: is it a WordPress, and where does it give one out? */
  async function inspect(url: string, signal?: AbortSignal) {
    const { restRoot, name, authorizationUrl } = await wordpress.discover(url, { signal });
    return { identifier: identifierOf(restRoot), url: homeOf(restRoot), siteName: name, authorizationUrl };
  }

  async function validate(channel: WordPressChannel, signal?: AbortSignal): Promise<WordPressFacts> {
    const { url, login, appPassword } = channel;
    const site = await wordpress.discover(url, { signal, credentials: { login, appPassword } });
    const { restRoot, name, seoPlugin, authorizationUrl } = site;
    const me = await wordpress.me({ restRoot, login, appPassword }, signal);
    if (!me.capabilities.publish_posts)
      throw new WordPressFailed('may-not-publish', 'the rights of the user');
    if (!me.capabilities.upload_files) throw new WordPressFailed('may-not-upload', 'the rights of the user');
    return {
      identifier: identifierOf(restRoot),
      restRoot,
      siteName: name,
      userName: me.name,
      seoPlugin,
      authorizationUrl,
      keepsJsonLd: Boolean(me.capabilities.unfiltered_html),
      mayInstallPlugins: Boolean(me.capabilities.install_plugins && me.capabilities.activate_plugins),
    };
  }

  async function publish(
    channel: WordPressChannel,
    article: WordPressArticle,
    { idempotencyKey, stage, signal }: WordPressPublishing,
  ): Promise<PublishAnswer> {
    let resumed = true;
    // Rights are asked for before anything is uploaded: a refusal then leaves nothing to clean up.
    const known = await stage('site', () => {
      resumed = false;
      return validate(channel, signal);
    });
    const {
      restRoot,
      seoPlugin,
      keepsJsonLd,
      authorizationUrl,
      mayInstallPlugins = false,
    } = resumed ? await asItIsNow(channel, known, signal) : known;
    const run: WordPressRun = {
      wordpress,
      access: { restRoot, login: channel.login, appPassword: channel.appPassword },
      mark: markOf(idempotencyKey),
      stage,
      resumed,
      signal,
      log: log.child({ publication: idempotencyKey }),
      pause: (ms) => pause(ms, signal),
      lookAgainMs,
    };
    try {
      const circumstances = { seoPlugin, keepsJsonLd, knownTerms: channel.terms ?? {} };
      const made = await stage('post', () => makePost(run, article, circumstances));
      const { warnings: more, described } = await settlePost(run, made.id, article, seoPlugin);
      return {
        outcome: 'sent',
        providerMessageId: String(made.id),
        url: made.isDraft ? editorOf({ restRoot, authorizationUrl }, made.id) : made.link,
        ...(made.isDraft && { isDraft: true as const }),
        warnings: [...made.warnings, ...more],
        raw: {
          ...{ id: made.id, link: made.link, terms: made.terms },
          site: { seoPlugin, mayInstallPlugins, describesArticles: described },
        },
      };
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throw error;
      run.log.warn({ err: error }, 'it is unknown whether a WordPress post was made');
      return { outcome: 'unknown', message: UNKNOWN, raw: { mark: run.mark, slug: article.slug } };
    }
  }

  /** It may have moved since. Silent, it is taken as it was: what is on its way is judged by what follows. */
  async function asItIsNow(
    channel: WordPressChannel,
    known: WordPressFacts,
    signal: AbortSignal | undefined,
  ): Promise<WordPressFacts> {
    try {
      return await validate(channel, signal);
    } catch (error) {
      if (error instanceof WordPressFailed) return known;
      throw error;
    }
  }

  /** Where a post is whose answer was lost. Null: nothing of this publication is to be seen. */
  async function locate(
    { url, login, appPassword }: WordPressChannel,
    { idempotencyKey, ...article }: SoughtPost,
    signal?: AbortSignal,
  ): Promise<{ url: string; isDraft: boolean } | null> {
    const site = await wordpress.discover(url, { signal, credentials: { login, appPassword } });
    const access = { restRoot: site.restRoot, login, appPassword };
    const mark = markOf(idempotencyKey);
    const found = await findPost({ wordpress, access, mark, signal }, soughtOf(article, mark));
    if (!found) return null;
    return isDraft(found)
      ? { url: editorOf(site, found.id), isDraft: true }
      : { url: found.link, isDraft: false };
  }

  async function remove(channel: WordPressChannel, postId: string, signal?: AbortSignal): Promise<void> {
    const { url, login, appPassword } = channel;
    const { restRoot } = await wordpress.discover(url, { signal, credentials: { login, appPassword } });
    await wordpress.deletePost({ restRoot, login, appPassword }, Number(postId), signal);
  }
}

/** The site's own page on which a logged-in person gives us a password with one press. `appId` is a UUID of ours. */
export function authorizationLink(
  authorizationUrl: string,
  {
    appName,
    appId,
    successUrl,
    rejectUrl,
  }: { appName: string; appId?: string; successUrl: string; rejectUrl: string },
): string {
  const url = new URL(authorizationUrl);
  url.searchParams.set('app_name', appName);
  if (appId) url.searchParams.set('app_id', appId);
  url.searchParams.set('success_url', successUrl);
  url.searchParams.set('reject_url', rejectUrl);
  return url.href;
}

/** Where its owner goes on with a draft. WordPress may live in another folder than its home page: then it said so. */
function editorOf(
  { restRoot, authorizationUrl }: Pick<WordPressFacts, 'restRoot' | 'authorizationUrl'>,
  postId: number,
): string {
  const admin = authorizationUrl ?? new URL('wp-admin/', homeOf(restRoot)).href;
  return new URL(`post.php?post=${postId}&action=edit`, admin).href;
}

/** By where the site answers, not by what it says of itself: a site cannot pass for another. */
function identifierOf(restRoot: string): string {
  const { host, pathname } = new URL(restRoot);
  return `${host.replace(/^www\./u, '')}${pathname.replace(/\/(?:index\.php\/)?(?:wp-json\/)?$/u, '')}`;
}

function markOf(idempotencyKey: string): string {
  const digest = createHash('sha256').update(idempotencyKey).digest('hex');
  return BigInt(`0x${digest}`).toString(36).slice(-MARK_LENGTH);
}

async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, signal && { signal }).catch((error: unknown) => {
    signal?.throwIfAborted(); // the caller's own reason, not the timer's word for it
    throw error;
  });
}
