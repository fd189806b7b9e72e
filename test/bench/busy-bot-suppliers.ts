/** The suppliers and the sites, in a process beside the bot's. Told the people, it answers with the addresses. */
import { constants, setPriority } from 'node:os';
import { loadConfig, type SupplierSettings } from '../../src/config.ts';
import { startMaxStandIn } from '../../src/sandbox/max/start.ts';
import { drawPicture } from '../../src/sandbox/openrouter/author/draw-picture.ts';
import { writeAnswer } from '../../src/sandbox/openrouter/author/write-answer.ts';
import { startSupplierStandIns } from '../../src/sandbox/supplier-stand-ins.ts';
import { startWordPressStandIn } from '../../src/sandbox/wordpress/start.ts';
import { sitesOf } from '../crash/article-authors.ts';
import { chatOf, MAX_TOKEN } from './busy-bot-chats.ts';

// They stand for other people's machines: what they compute is nothing of the bot's processor.
setPriority(constants.priority.PRIORITY_LOW);

export type SuppliersOrder = { userIds: number[] };
export type SuppliersAnswer = { suppliers: SupplierSettings; wordpress: string; max: string };

process.once('message', async ({ userIds }: SuppliersOrder) => {
  const { suppliers } = await startSupplierStandIns(loadConfig({}).suppliers, {
    author: { writeAnswer, drawPicture: drawnOnce() },
  });
  const wordpress = await startWordPressStandIn({ sites: sitesOf(userIds) });
  const max = await startMaxStandIn();
  const bot = max.world.addBot({ token: MAX_TOKEN, name: 'Писарь' });
  for (const id of userIds) max.world.addChat({ id: chatOf(id), title: 'Чат', bots: { [bot.user_id]: {} } });
  process.send!({ suppliers, wordpress: wordpress.url, max: max.url } satisfies SuppliersAnswer);
});
process.once('disconnect', () => process.exit());

/** One picture of each shape for everybody: true bytes, and the processor is left to the bot. */
function drawnOnce(): typeof drawPicture {
  const drawn = new Map<string, Promise<Buffer>>();
  return (request) => {
    const shape = `${request.aspectRatio} ${request.size}`;
    const picture = drawn.get(shape) ?? drawPicture(request);
    drawn.set(shape, picture);
    return picture;
  };
}
