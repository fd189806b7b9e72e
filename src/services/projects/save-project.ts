import type { SaveProjectInput } from '../../../machines/fragments/project-saving.ts';
import type { Operations } from '../../engine/operations.ts';

type Deps<Statement> = {
  operations: Pick<Operations<never, Statement>, 'inStatement'>;
  insertProject(userId: number, project: Omit<SaveProjectInput, 'key' | 'userId'>): Statement;
};

/** Creates the project once per key, however often it is asked for. */
export const makeSaveProject =
  <Statement>({ operations, insertProject }: Deps<Statement>) =>
  async ({ key, userId, ...project }: SaveProjectInput): Promise<{ projectId: number }> => {
    const call = { key, userId, request: project };
    const saved = await operations.inStatement<{ projectId: number }>(call, insertProject(userId, project));
    return saved!;
  };
