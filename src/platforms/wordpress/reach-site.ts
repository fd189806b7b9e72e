import type { ReachedSite, ReachSiteInput } from '../../../machines/fragments/wordpress-questions.ts';
import { WordPressFailed } from './client-failed.ts';
import { siteIdentifier, siteTitle } from './site-identifier.ts';

type InspectedSite = {
  identifier: string;
  siteName: string;
  authorizationUrl: string | null;
  url: string;
};

type Owner = { userId: number; projectId: number; projectName: string };

type Deps = {
  /** Throws an error that tells the person why there is no WordPress to speak with. */
  inspect(url: string, signal: AbortSignal): Promise<InspectedSite>;
  owners(platform: 'wordpress', identifier: string): Promise<Owner[]>;
  offerGrant(
    site: { identifier: string; authorizationUrl: string | null },
    asked: { run: string; userId: number },
  ): Promise<ReachedSite['authorization']>;
};

/**
 * Looks at an address before anything secret is typed. Whether somebody else publishes there is not told yet: only a
 * password proves that the site is this person's business.
 */
export const makeReachSite =
  ({ inspect, owners, offerGrant }: Deps) =>
  async ({ run, userId, projectId, url }: ReachSiteInput, signal: AbortSignal): Promise<ReachedSite> => {
    const site = await inspect(url, signal).catch((error: unknown) => {
      if (isClosedToStrangers(error))
        return { identifier: bare(url), siteName: '', authorizationUrl: null, url: withScheme(url) };
      throw error;
    });
    const identifier = siteIdentifier(`https://${site.identifier}`);
    const own = (await owners('wordpress', identifier)).filter((owner) => owner.userId === userId);
    const isHere = own.some((owner) => owner.projectId === projectId);
    return {
      identifier,
      name: siteTitle(site.siteName),
      authorization: await offerGrant({ ...site, identifier }, { run, userId }),
      url: site.url,
      otherProject: isHere ? null : (own[0]?.projectName ?? null),
    };
  };

/** Some sites answer only after a login: then the password will tell. */
const isClosedToStrangers = (error: unknown): boolean =>
  error instanceof WordPressFailed && error.refusal !== null && [401, 403].includes(error.status ?? 0);

const bare = (url: string): string => url.replace(/^https?:\/\//iu, '');

/** What will be asked with a password is never downgraded: HTTPS, unless plain HTTP was typed. */
const withScheme = (url: string): string => (/^https?:\/\//iu.test(url) ? url : `https://${url}`);
