import type { ReadSiteInput } from '../../../machines/fragments/project-from-site.ts';
import type { SaveProjectInput } from '../../../machines/fragments/project-saving.ts';
import type { Branding } from '../../clients/site-branding.ts';
import type { Operations } from '../../engine/operations.ts';
import { articleClusters } from '../keywords/article-clusters.ts';
import type { Cluster } from '../quality/choose-cluster.ts';
import type { SiteProfile } from '../site/read-site.ts';

type NewProject = Pick<SaveProjectInput, 'name' | 'companyName' | 'specialization' | 'websiteUrl'>;

export type NewSiteProject = Omit<NewProject, 'websiteUrl'> & {
  websiteUrl: string;
  city: string | null;
  phone: string | null;
  branding: Branding | null;
  topics: { name: string; description: string; keywords: Cluster[] }[];
};

type Deps<Tx, Statement> = {
  operations: Pick<Operations<Tx, Statement>, 'inStatement' | 'inTransaction'>;
  insertProject(userId: number, project: NewProject): Statement;
  /** What was read under the key of the card. */
  profileOf(reading: ReadSiteInput, signal?: AbortSignal): Promise<SiteProfile>;
  insertSiteProject(tx: Tx, userId: number, project: NewSiteProject): Promise<{ projectId: number }>;
};

/** Creates the project once per key, however often it is asked for. */
export const makeSaveProject =
  <Tx, Statement>({ operations, insertProject, profileOf, insertSiteProject }: Deps<Tx, Statement>) =>
  async (
    { key, userId, site, ...project }: SaveProjectInput,
    signal?: AbortSignal,
  ): Promise<{ projectId: number }> => {
    const { websiteUrl } = project;
    if (!site || websiteUrl === null) {
      const call = { key, userId, request: project };
      const saved = await operations.inStatement<{ projectId: number }>(call, insertProject(userId, project));
      return saved!;
    }
    const { branding, topics, numbers } = await profileOf(
      { key: site.reading, userId, url: websiteUrl },
      signal,
    );
    return operations.inTransaction({ key, userId, request: { ...project, site } }, (tx) =>
      insertSiteProject(tx, userId, {
        ...project,
        ...{ websiteUrl, city: site.city, phone: site.phone, branding },
        topics: topics
          .filter((_, i) => site.topics.includes(i))
          .map(({ name, about, phrases }) => ({
            name,
            description: about,
            keywords: articleClusters(phrases, numbers),
          })),
      }),
    );
  };
