import type { SaveProjectFieldInput } from '../../../machines/project-edit.ts';
import { NotFound } from '../../errors.ts';

type Deps = {
  setField(
    userId: number,
    projectId: number,
    field: SaveProjectFieldInput['field'],
    value: string | null,
  ): Promise<boolean>;
};

/** Needs no operation of its own: setting a field to the same value twice is setting it once. */
export const makeSaveProjectField =
  ({ setField }: Deps) =>
  async ({ userId, projectId, field, value }: SaveProjectFieldInput): Promise<null> => {
    if (!(await setField(userId, projectId, field, value)))
      throw new NotFound(`project ${projectId}`, 'Проект удалён.');
    return null;
  };
