import { z } from 'zod';
import type { FetchedPage, GuardedFetch } from '../../clients/http/guarded-fetch.ts';
import { WordPressFailed } from './client-failed.ts';
import { networkFailure, parseJson, refusalOf } from './client-refusal.ts';
import { type Access, endpoint, type WordPressRequest } from './client-request.ts';

export type SeoPlugin = 'yoast' | 'rankmath' | 'seopress';

export type Site = {
  restRoot: string;
  name: string;
  seoPlugin: SeoPlugin | null;
  /** Where the site itself gives out an application password; null where it gives none. */
  authorizationUrl: string | null;
};

type Looked = { signal?: AbortSignal | undefined; credentials?: Omit<Access, 'restRoot'> };

const index = z.object({
  name: z.string().catch(''),
  namespaces: z.array(z.string()),
  authentication: z
    .object({ 'application-passwords': z.object({ endpoints: z.object({ authorization: z.string() }) }) })
    .nullable()
    .catch(null),
});
// The whole index names every route of every plugin: half a megabyte on a rich site.
const fields = { _fields: 'name,namespaces,authentication' };

const WORDPRESS_TRACES = /\/wp-(?:content|includes)\/|content="WordPress\b/u;
const API_LINK = /<([^>]+)>\s*;\s*rel="?https:\/\/api\.w\.org\/"?/iu;

/** Finds the REST API of whatever address a person gave, where the site's redirects end. */
export function makeDiscover({
  fetch,
  request,
  allowHttp,
  timeoutMs,
}: {
  fetch: GuardedFetch;
  request: WordPressRequest;
  allowHttp: boolean;
  timeoutMs: number;
}) {
  return async function discover(address: string, looked: Looked = {}): Promise<Site> {
    const { first, fallback } = siteAddresses(address, allowHttp);
    if (fallback === null) return discoverAt(first, looked);
    return discoverAt(first, looked).catch((error: unknown) => {
      if (!(error instanceof WordPressFailed) || error.fault !== 'unreachable') throw error;
      return discoverAt(fallback, looked);
    });
  };

  async function discoverAt(given: string, looked: Looked): Promise<Site> {
    const found = await atUsualPlaces(given, looked);
    if ('restRoot' in found) return found;

    const home = await page(given, looked);
    const linked = API_LINK.exec(String(home.headers.link ?? ''))?.[1] ?? '';
    const isLinked = linked !== '' && URL.canParse(linked, home.url);
    const told = isLinked ? await indexAt(restRootOf(new URL(linked, home.url).href), looked) : null;
    if (told && 'restRoot' in told) return told;

    const moved = siteRoot(new URL(home.url));
    const there = moved === given ? found : await atUsualPlaces(moved, looked);
    if ('restRoot' in there) return there;
    const isWordPress = isLinked || WORDPRESS_TRACES.test(home.body.toString('utf8'));
    throw isWordPress || there.refusal ? (told ?? there) : notWordPress(home);
  }

  async function atUsualPlaces(base: string, looked: Looked): Promise<Site | WordPressFailed> {
    const pretty = await indexAt(`${base}wp-json/`, looked);
    if ('restRoot' in pretty) return pretty;
    const plain = await indexAt(`${base}?rest_route=/`, looked);
    // What the API itself said tells more than the page that came in its place.
    return 'restRoot' in plain || plain.refusal || !pretty.refusal ? plain : pretty;
  }

  async function indexAt(root: string, looked: Looked): Promise<Site | WordPressFailed> {
    const answer = await page(endpoint(root, '', fields), looked);
    const facts = index.safeParse(parseJson(answer.body));
    if (answer.status === 200 && facts.success) return siteOf(restRootOf(answer.url), facts.data);
    const refusal = refusalOf(answer, 'GET the index', false);
    const isClosed = refusal.refusal !== null && [401, 403].includes(answer.status);
    if (!isClosed || !looked.credentials) return refusal;
    // Open to those who log in: asked again with the password, at the address that answered.
    const restRoot = restRootOf(answer.url);
    const access = { restRoot, ...looked.credentials };
    return siteOf(
      restRoot,
      await request(access, '', index, { query: fields, timeoutMs, signal: looked.signal }),
    );
  }

  function siteOf(restRoot: string, facts: z.infer<typeof index>): Site {
    const { name, namespaces, authentication } = facts;
    const authorization = authentication?.['application-passwords'].endpoints.authorization ?? '';
    return {
      restRoot,
      name: name.replace(/&(?:amp|lt|gt|quot|#0?39);/gu, (entity) => entities[entity] ?? entity),
      seoPlugin: seoPluginOf(namespaces),
      // A person will follow it, so it is no more than a web address.
      authorizationUrl: /^https?:\/\//u.test(authorization) ? authorization : null,
    };
  }

  function page(url: string, { signal }: Looked): Promise<FetchedPage> {
    return fetch(url, { timeoutMs, signal }).catch((error: unknown) => {
      throw networkFailure(error, 'GET the index', false);
    });
  }
}

/**
 * HTTPS first, whatever was typed; plain HTTP only where HTTPS does not answer and was not asked for. `allowHttp`:
 * every peer is on this machine, and what was typed is where it is.
 */
function siteAddresses(address: string, allowHttp: boolean): { first: string; fallback: string | null } {
  const typed = address.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//iu.test(typed);
  const whole = hasScheme ? typed : `https://${typed}`;
  if (!URL.canParse(whole)) throw new WordPressFailed('address-refused', 'the address');
  const given = siteRoot(new URL(whole));
  if (hasScheme && (allowHttp || given.startsWith('https:'))) return { first: given, fallback: null };
  const rest = given.replace(/^https?:/u, '');
  return { first: `https:${rest}`, fallback: `http:${rest}` };
}

/** With a slash at the end. People paste the address they work at; the site is above it. */
function siteRoot({ origin, pathname }: URL): string {
  const path = pathname.replace(/\/(?:wp-admin|wp-json|wp-login\.php|index\.php)(?:\/.*)?$/u, '/');
  return `${origin}${path.replace(/\/*$/u, '/')}`;
}

/** WordPress keeps the names of sites as HTML. */
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#039;': "'",
  '&#39;': "'",
};

function restRootOf(url: string): string {
  const { origin, pathname, searchParams } = new URL(url);
  const plain = searchParams.has('rest_route');
  return `${origin}${pathname.replace(/\/*$/u, '/')}${plain ? '?rest_route=/' : ''}`;
}

function seoPluginOf(namespaces: readonly string[]): SeoPlugin | null {
  if (namespaces.includes('rankmath/v1')) return 'rankmath';
  if (namespaces.includes('yoast/v1')) return 'yoast';
  return namespaces.includes('seopress/v1') ? 'seopress' : null;
}

function notWordPress({ status }: FetchedPage): WordPressFailed {
  const what = 'the home page';
  if (status >= 500) return new WordPressFailed('broken', what, { status });
  // The site refuses everything, so nothing is known of what is behind.
  const isClosed = status === 401 || status === 403;
  return new WordPressFailed(isClosed ? 'html' : 'not-wordpress', what, { status });
}
