import { join } from 'node:path';
import type { ArrivalPanel } from './page-server.ts';
import { startPinterestStandIn } from './pinterest/start.ts';
import { onPort } from './stand-in.ts';

export type SandboxPinterest = Awaited<ReturnType<typeof startSandboxPinterest>>;

const SHOWN = 30;

/** A Pinterest account for every person, with two boards, and their pins as people see them. */
export async function startSandboxPinterest(folder: string, port: number) {
  const pinterest = await onPort(port, (free) =>
    startPinterestStandIn({ port: free, journal: join(folder, 'pinterest.jsonl') }),
  );
  const { url, world, app } = pinterest;
  return {
    settings: { ...app, baseUrl: `${url}/v5`, siteUrl: url },
    world,
    accountOf,
    panel,
    close: pinterest.close,
  };

  /** Made when it is first asked for. */
  function accountOf(userId: number): string {
    const username = `user${userId}`;
    if (!world.account(username)) {
      world.addAccount({ username, accountType: 'BUSINESS' });
      for (const name of ['Наши работы', 'Идеи для дома']) world.addBoard({ name, owner: username });
    }
    return username;
  }

  function panel(userId: number): ArrivalPanel {
    const username = accountOf(userId);
    world.signIn(username);
    const boards = world.boards(username);
    const pins = boards.flatMap(({ id, name }) => world.pins(id).map((pin) => ({ ...pin, board: name })));
    return {
      id: 'pinterest',
      title: 'Pinterest',
      empty: 'На досках ещё ничего нет. Подключите Pinterest в чате: пины появятся здесь.',
      facts: [
        { name: 'Аккаунт', value: username },
        ...boards.map(({ id, name }) => ({ name: 'Доска', value: name, url: `${url}/board/${id}/` })),
      ],
      items: pins
        .sort((one, other) => other.at - one.at)
        .slice(0, SHOWN)
        .map(({ id, title, description, link, at, board }) => ({
          at: `${board} · ${new Date(at).toLocaleString('ru-RU')}`,
          title,
          text: [description, link].filter(Boolean).join('\n\n'),
          url: `${url}/pin/${id}/`,
          image: `${url}/pin-image/${id}`,
        })),
    };
  }
}
