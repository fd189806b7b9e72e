import type { AuditDone, AuditSiteInput } from '../../../machines/site-audit.ts';
import type { SiteAudit } from '../../clients/pagespeed.ts';
import type { Operations } from '../../engine/operations.ts';
import { AppError, ProjectGone } from '../../errors.ts';
import type { Payment } from '../../store/purse.ts';
import type { LimitedWork } from '../money/limited-work.ts';
import type { Purse } from '../money/paid-work.ts';

type Deps<Tx> = {
  audit(url: string, options: { signal: AbortSignal }): Promise<SiteAudit | null>;
  purse(payment: Payment): Purse;
  limitedWork: LimitedWork;
  operations: Pick<Operations<Tx>, 'inTransaction'>;
  /** False when the project is gone. */
  save(
    site: { projectId: number; userId: number; url: string },
    audit: SiteAudit,
    within: Tx,
  ): Promise<boolean>;
};

class AuditFailed extends AppError {
  readonly code = 'EXTERNAL_SERVICE';
  readonly userMessage =
    'Google не смог открыть или измерить сайт. Проверьте, что он работает, и попробуйте позже.';
  override readonly retryable = true;
  constructor(url: string) {
    super(`${url} could not be audited`);
  }
}

/** From the accepted price to an audit that is kept with the project; or the tokens back. */
export const makeOrderAudit =
  <Tx>({ audit, purse, limitedWork, operations, save }: Deps<Tx>) =>
  ({ key, userId, projectId, url, price }: AuditSiteInput, signal: AbortSignal): Promise<AuditDone> => {
    const request = { projectId, url, price };
    const ownPurse = purse({ key, userId, parts: { audit: price }, description: `аудит сайта: ${url}` });
    const needs = { slots: { site_audit: 1 } };
    return limitedWork({ key, userId, request, signal }, needs, ownPurse, async (stage, lease) => {
      const measured = await stage('audit', async () => {
        const found = await audit(url, { signal: lease });
        if (!found) throw new AuditFailed(url);
        return found;
      });
      // Once: saved a second time, the audit would stand beside itself as the earlier one.
      await operations.inTransaction({ key: `${key}:save`, userId, request }, async (tx) => {
        if (!(await save({ projectId, userId, url }, measured, tx))) throw new ProjectGone(projectId);
        return null;
      });
      return { result: { spent: price }, spent: price };
    });
  };
