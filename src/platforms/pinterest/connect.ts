import type { ConnectPinterestInput } from '../../../machines/fragments/pinterest-questions.ts';
import type { NewConnection } from '../../store/connections.ts';
import type { ConnectTarget } from '../connect-target.ts';
import { channelRefused } from '../failure-table.ts';
import { type PinterestAccess, storedTokens } from './access.ts';
import type { Pinterest, PinterestBoard, PinterestTokens } from './client.ts';
import { asPinterestFailure } from './failures.ts';

type Deps = {
  pinterest: Pick<Pinterest, 'boards' | 'account' | 'boardUrl'>;
  connectTarget: ConnectTarget;
  open(run: string, sealed: string): PinterestTokens;
};

export const makeConnectPinterest =
  ({ pinterest, connectTarget, open }: Deps) =>
  (input: ConnectPinterestInput, signal: AbortSignal): Promise<{ connectionId: number }> => {
    const { key, run, userId, projectId, board, sealed } = input;
    const request = { projectId, board: board.id };
    return connectTarget({ key, userId, request, signal }, async (lease): Promise<NewConnection> => {
      const tokens = open(run, sealed);
      const { name } = await validatePinterest(
        pinterest,
        { token: tokens.accessToken, boardId: board.id },
        lease,
      );
      const { username } = await pinterest.account(tokens.accessToken, lease).catch((error: unknown) => {
        throw asPinterestFailure(error);
      });
      const identifier = board.id;
      return {
        ...{ projectId, platform: 'pinterest', identifier },
        credentials: { ...storedTokens(tokens), board_id: board.id, board_name: name, identifier },
        metadata: { title: name, account: username, url: pinterest.boardUrl(username, name) },
      };
    });
  };

/** Whether the board is there and the account still lets us in. Throws DeliveryFailed. */
export async function validatePinterest(
  pinterest: Pick<Pinterest, 'boards'>,
  { token, boardId }: PinterestAccess,
  signal: AbortSignal,
): Promise<PinterestBoard> {
  const boards = await pinterest.boards(token, signal).catch((error: unknown) => {
    throw asPinterestFailure(error);
  });
  const board = boards.find(({ id }) => id === boardId);
  if (!board)
    throw channelRefused('board_gone', 'Этой доски в Pinterest больше нет. Выберите или подключите другую.');
  return board;
}
