import { closeServer, createHttpServer, listen } from '../../src/http/server.ts';
import { wordPressGrantHandler } from '../../src/http/wordpress-grant.ts';
import type { TestBot } from './bot.ts';
import type { ScriptedPerson } from './person.ts';

/** What a browser does: the page of the site, its button, and where that leads. Returns the page it ends on. */
export async function grantAccess(bot: TestBot, person: ScriptedPerson): Promise<string> {
  const button = person
    .screen()!
    .reply_markup!.inline_keyboard.flat()
    .find(({ url }) => url !== undefined)!;
  const form = new URLSearchParams([
    ...new URL(button.url!).searchParams,
    ['user', 'admin'],
    ['approve', '1'],
  ]);
  const answered = await fetch(button.url!.split('?', 1)[0]!, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  const { pathname, search } = new URL(answered.headers.get('location')!);
  const handler = wordPressGrantHandler(bot.app.receiveGrant, () => null);
  const server = createHttpServer([handler], () => undefined);
  const port = await listen(server, 0, '127.0.0.1');
  try {
    return await (await fetch(`http://127.0.0.1:${port}${pathname}${search}`)).text();
  } finally {
    await closeServer(server);
  }
}
