import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreAway } from '../../src/engine/not-applied.ts';
import { route } from '../../src/menu/create-menu.ts';
import { toHtml } from '../../src/messengers/telegram/to-html.ts';
import { to } from '../../src/screens/kit/link.ts';
import { rich } from '../../src/screens/kit/screen.ts';
import { apology } from '../../src/screens/kit/system.ts';
import { openStage, pressOf, type Stage } from './stage.ts';

let trouble: Error | null;
let stage: Stage;
beforeEach(() => {
  trouble = null;
  stage = openStage({
    moreRoutes: [
      route('nav:dashboard', () => {
        if (trouble) throw trouble;
        return { show: { text: rich`Главное меню`, keyboard: [] } };
      }),
    ],
  });
});
afterEach(() => stage.close());

const gone = { flow: 'ProjectCreate', run: 'gone' };
const granted = { type: 'grant.received' };
const told = 'Разрешение пришло, когда мастер уже закрыли';
const open = () => stage.inbox.open(7, stage.clock.now);

async function atHome() {
  const bot = stage.start();
  const anna = stage.person(bot);
  await anna.commands('start');
  return { bot, anna };
}

describe('an event from outside that fails by a mistake of ours', () => {
  it('does not stand in the way of those behind it', async () => {
    const { bot, anna } = await atHome();
    await anna.does(pressOf(to('project:create'), null));
    const { flow, run } = (await stage.session()).flow!;
    await bot.inject({ person: 7, run: { flow, run }, event: { type: 'text.received' }, id: 'a' });
    await bot.inject({ person: 7, run: gone, event: granted, id: 'b' });
    expect(anna.sees()).toBe(told);
    expect(await open()).toEqual([]);
    expect(stage.log.some(({ level, letter }) => level === 50 && letter === 'a')).toBe(true);
  });

  it('is not told for ever when the messenger refuses the words', async () => {
    const { bot, anna } = await atHome();
    stage.messengerFails(new Error('400: wrong markup'));
    await bot.inject({ person: 7, run: gone, event: granted, id: 'a' });
    await bot.inject({ person: 7, run: gone, event: granted, id: 'b' });
    expect(anna.chat().filter(({ text }) => text === told)).toHaveLength(1);
    expect(await open()).toEqual([]);
  });

  it('but waits while a store is away', async () => {
    const { bot, anna } = await atHome();
    stage.messengerFails(new StoreAway('no address'));
    await bot.inject({ person: 7, run: gone, event: granted, id: 'a' });
    expect(await open()).toHaveLength(1);
    await bot.sweeps();
    expect(anna.sees()).toBe(told);
  });
});

describe('an album', () => {
  const photo = (place: number) =>
    ({
      kind: 'photo',
      photo: { fileId: `P${place}`, name: '', mimeType: 'image/jpeg', size: 1, width: 1, height: 1 },
      caption: '',
      album: { id: 'album-1', place },
    }) as const;

  it('whose answer fails by a mistake of ours is apologised for, once', async () => {
    const { bot, anna } = await atHome();
    await anna.does(photo(1));
    trouble = new Error('a bug');
    stage.pass(2_000);
    await bot.sweeps();
    expect(anna.sees()).toBe(toHtml(apology));
    expect(await open()).toEqual([]);
  });
});
