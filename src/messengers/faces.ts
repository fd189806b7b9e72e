import type { Address } from '../engine/address.ts';
import { ChatClosed, type Presenter, type ShowRequest } from '../engine/presenter.ts';

/** What a messenger does for the engine: shows screens in a chat, which it knows by an id of its own. */
export type Face = {
  show(request: FaceRequest): ReturnType<Presenter['show']>;
};

export type FaceRequest = Omit<ShowRequest, 'userId'> & { chat: string };

/** One presenter for all messengers: the engine names a person, their address says which face shows the screen, and where. */
export function createFaces(
  faces: Readonly<Record<string, Face>>,
  addressOf: (userId: number) => Promise<Address | null>,
): Presenter {
  return {
    async show({ userId, ...request }) {
      const address = await addressOf(userId);
      const face = address && faces[address.messenger];
      if (!face) throw new ChatClosed(`no messenger of ours reaches ${userId}`);
      return face.show({ ...request, chat: address.chat });
    },
  };
}
