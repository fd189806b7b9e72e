import type { SaveProjectInput } from '../../../machines/project-create.ts';
import type { Operations } from '../../engine/operations.ts';
import type { Log } from '../../log.ts';

type Deps<Statement> = {
  operations: Pick<Operations<never, Statement>, 'inStatement'>;
  insertProject(userId: number, project: Omit<SaveProjectInput, 'key' | 'userId'>): Statement;
  forgetAnswers(userId: number): Promise<void>;
  log: Pick<Log, 'warn'>;
};

/** Creates the project once per key, however often it is asked for. */
export const makeSaveProject =
  <Statement>({ operations, insertProject, forgetAnswers, log }: Deps<Statement>) =>
  async ({ key, userId, ...project }: SaveProjectInput): Promise<{ projectId: number }> => {
    const call = { key, userId, request: project };
    const saved = await operations.inStatement<{ projectId: number }>(call, insertProject(userId, project));
    // Paused answers have served their purpose. The project is there: left over, they are only offered once more.
    await forgetAnswers(userId).catch((error) =>
      log.warn({ err: error, user: userId }, 'answers stay paused'),
    );
    return saved!;
  };
