import type { AnalyseCompetitorInput, CompetitorReport } from '../../../machines/competitor-analysis.ts';
import type { Operations } from '../../engine/operations.ts';
import { ProjectGone } from '../../errors.ts';
import type { StoredAnalysis } from '../../store/competitor-analyses.ts';
import type { Payment } from '../../store/purse.ts';
import type { LimitedWork } from '../money/limited-work.ts';
import type { Purse } from '../money/paid-work.ts';
import type { Brief } from '../projects/brief.ts';
import type { AnalyseCompetitor } from './analyse-competitor.ts';

type Deps<Tx> = {
  /** Null when the project is gone. */
  briefOf(userId: number, projectId: number): Promise<{ brief: Brief; keywords: string[] } | null>;
  purse(payment: Payment): Purse;
  limitedWork: LimitedWork;
  operations: Pick<Operations<Tx>, 'inTransaction'>;
  analyse: AnalyseCompetitor;
  save(tx: Tx, userId: number, projectId: number, analysis: StoredAnalysis): Promise<number | null>;
};

/** From the accepted price to an analysis that is kept with the project; or the tokens back. */
export const makeOrderAnalysis =
  <Tx>({ briefOf, purse, limitedWork, operations, analyse, save }: Deps<Tx>) =>
  (
    { key, userId, projectId, url, price }: AnalyseCompetitorInput,
    signal: AbortSignal,
    report: (stage: string) => void,
  ): Promise<CompetitorReport> => {
    const request = { projectId, url, price };
    const ownPurse = purse({
      ...{ key, userId, description: `анализ конкурента: ${url}` },
      parts: { competitor_analysis: price },
    });
    const needs = { slots: { text_generation: 1 } };
    return limitedWork({ key, userId, request, signal }, needs, ownPurse, async (stage, lease) => {
      report('reading');
      const known = await stage('brief', async () => {
        const found = await briefOf(userId, projectId);
        if (!found) throw new ProjectGone(projectId);
        return found;
      });
      const answer = await analyse({
        ...{ url, userId, stage, signal: lease, report },
        brief: known.brief,
        categoryKeywords: known.keywords,
      });
      const analysis: StoredAnalysis = {
        url,
        positioning: answer.positioning || answer.meta_analysis,
        strengths: answer.strengths,
        gaps: answer.content_gaps,
        recommendations: answer.recommendations,
      };
      // Kept before the person looks at it: what was paid for is there however they leave.
      const analysisId = await operations.inTransaction(
        { key: `${key}:save`, userId, request },
        async (tx) => {
          const id = await save(tx, userId, projectId, analysis);
          if (id === null) throw new ProjectGone(projectId);
          return id;
        },
      );
      return { result: { analysisId, ...analysis, spent: price }, spent: price };
    });
  };
