import type { ConnectWordPressInput } from '../../../machines/fragments/wordpress-questions.ts';
import type { Operations } from '../../engine/operations.ts';
import { AppError, NotFound } from '../../errors.ts';
import type { RateLimits } from '../../services/money/rate-limits.ts';
import type { NewConnection } from '../../store/connections.ts';
import { homeOf } from './client-request.ts';
import { siteIdentifier, siteTitle } from './site-identifier.ts';

/** What a site tells to whoever may publish there; nothing secret. */
export type SiteFacts = {
  identifier: string;
  restRoot: string;
  siteName: string;
  seoPlugin: string | null;
  keepsJsonLd: boolean;
};

/** A site newly connected, for whoever wants to know more of it. */
export type ConnectedSite = { connectionId: number; projectId: number; userId: number; url: string };

export class TargetTaken extends AppError {
  readonly code = 'TARGET_TAKEN';
  readonly userMessage: string;
  constructor(identifier: string) {
    super(`"${identifier}" belongs to another person`);
    this.userMessage =
      `${identifier} уже подключён другим пользователем бота: одну площадку ведёт один человек. ` +
      'Если сайт ваш, попросите удалить это подключение того, кто его добавил, или подключите другой сайт.';
  }
}

type Deps<Tx> = {
  operations: Operations<Tx>;
  limits: Pick<RateLimits, 'reserve'>;
  openSecret(run: string, sealed: string): unknown;
  /** Asks the site whether this login may publish; throws with the reason why not. */
  validate(
    access: { url: string; login: string; appPassword: string },
    signal: AbortSignal,
  ): Promise<SiteFacts>;
  connections: {
    /** Until the transaction ends, nobody else claims the same target. */
    holdTarget(tx: Tx, platform: 'wordpress', identifier: string): Promise<void>;
    owners(platform: 'wordpress', identifier: string, tx: Tx): Promise<{ userId: number }[]>;
    save(userId: number, connection: NewConnection, tx: Tx): Promise<number | null>;
  };
  /** Begins and returns: nobody waits for it. */
  learn(site: ConnectedSite): void;
};

/** Connects a site once per key, or not at all: what was refused leaves nothing behind. */
export const makeConnectWordPress =
  <Tx>({ operations, limits, openSecret, validate, connections, learn }: Deps<Tx>) =>
  (input: ConnectWordPressInput, signal: AbortSignal): Promise<{ connectionId: number }> => {
    const { key, run, userId, projectId, login, sealed } = input;
    const request = { projectId, url: input.url, login };
    return operations.withStages({ key, userId, request, signal }, async (_, lease) => {
      // By the key, not by a stage: a process that dies between the two would count the try again.
      await limits.reserve(key, userId, { platform_connection: 1 });
      const appPassword = String(openSecret(run, sealed)).trim();
      const facts = await validate({ url: input.url, login, appPassword }, lease);
      const url = homeOf(facts.restRoot);
      const identifier = siteIdentifier(`https://${facts.identifier}`);
      const credentials = { url, login, app_password: appPassword, identifier };
      const { restRoot, seoPlugin, keepsJsonLd } = facts;
      const metadata = { url, restRoot, siteName: siteTitle(facts.siteName), seoPlugin, keepsJsonLd };
      const site: NewConnection = { projectId, platform: 'wordpress', identifier, credentials, metadata };
      const connectionId = await operations.inTransaction({ key: `${key}:save`, userId, request }, (tx) =>
        save(tx, userId, site),
      );
      learn({ connectionId, projectId, userId, url });
      return { connectionId };
    });

    async function save(tx: Tx, owner: number, site: NewConnection): Promise<number> {
      await connections.holdTarget(tx, 'wordpress', site.identifier);
      const owners = await connections.owners('wordpress', site.identifier, tx);
      if (owners.some(({ userId: other }) => other !== owner)) throw new TargetTaken(site.identifier);
      const id = await connections.save(owner, site, tx);
      if (id === null) throw new NotFound(`project ${site.projectId}`, 'Проект удалён.');
      return id;
    }
  };
