import type { SaveProjectInput } from '../../machines/project-create.ts';
import type { Operations } from '../engine/operations.ts';

type Deps<Tx> = {
  operations: Operations<Tx>;
  insertProject(tx: Tx, userId: number, project: Omit<SaveProjectInput, 'key' | 'userId'>): Promise<number>;
  forgetAnswers(userId: number): Promise<void>;
};

/** Creates the project once per key, however often it is asked for. */
export const makeSaveProject =
  <Tx>({ operations, insertProject, forgetAnswers }: Deps<Tx>) =>
  async ({ key, userId, ...project }: SaveProjectInput): Promise<{ projectId: number }> => {
    const saved = await operations.inTransaction({ key, userId, request: project }, async (tx) => ({
      projectId: await insertProject(tx, userId, project),
    }));
    // Paused answers have served their purpose; a crash before this line only offers them once more.
    await forgetAnswers(userId);
    return saved;
  };
