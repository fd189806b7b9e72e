import type { ConnectWordPressInput } from '../../../machines/fragments/wordpress-questions.ts';
import type { NewConnection } from '../../store/connections.ts';
import type { ConnectTarget } from '../connect-target.ts';
import { homeOf } from './client-request.ts';
import { siteIdentifier, siteTitle } from './site-identifier.ts';

/** What a site tells its authors; nothing secret. */
export type SiteFacts = {
  identifier: string;
  restRoot: string;
  siteName: string;
  seoPlugin: string | null;
  keepsJsonLd: boolean;
  mayInstallPlugins?: boolean;
};

/** Called with a newly connected site. */
export type ConnectedSite = { connectionId: number; projectId: number; userId: number; url: string };

type Deps = {
  connectTarget: ConnectTarget;
  openSecret(run: string, sealed: string): unknown;
  /** Asks the site whether this login may publish; throws with the reason why not. */
  validate(
    access: { url: string; login: string; appPassword: string },
    signal: AbortSignal,
  ): Promise<SiteFacts>;
  /** Starts in the background and returns. */
  learn(site: ConnectedSite): void;
};

export const makeConnectWordPress =
  ({ connectTarget, openSecret, validate, learn }: Deps) =>
  (input: ConnectWordPressInput, signal: AbortSignal): Promise<{ connectionId: number }> => {
    const { key, run, userId, projectId, login, sealed } = input;
    const request = { projectId, url: input.url, login };
    let url = input.url;
    return connectTarget({ key, userId, request, signal }, facts, (connectionId) =>
      learn({ connectionId, projectId, userId, url }),
    );

    async function facts(lease: AbortSignal): Promise<NewConnection> {
      const appPassword = String(openSecret(run, sealed)).trim();
      const site = await validate({ url: input.url, login, appPassword }, lease);
      url = homeOf(site.restRoot);
      const identifier = siteIdentifier(`https://${site.identifier}`);
      const { restRoot, seoPlugin, keepsJsonLd, mayInstallPlugins = false } = site;
      return {
        ...{ projectId, platform: 'wordpress', identifier },
        credentials: { url, login, app_password: appPassword, identifier },
        metadata: {
          ...{ url, restRoot, siteName: siteTitle(site.siteName) },
          ...{ seoPlugin, keepsJsonLd, mayInstallPlugins },
        },
      };
    }
  };
