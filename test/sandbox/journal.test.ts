import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Api } from 'grammy';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJournal } from '../../src/sandbox/journal.ts';
import { startTelegramStandIn } from '../../src/sandbox/telegram/start.ts';

const token = '123456:sandbox-token';
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-journal-'));
  file = join(folder, 'telegram.jsonl');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a journal', () => {
  it('gives back what was put, in order, without what was removed', () => {
    const before = openJournal(file);
    const table = before.table<{ n: number }>('numbers');
    for (const n of [1, 2, 3]) table.put(n, { n });
    table.put(1, { n: 10 });
    table.remove(2);
    before.close();
    expect(openJournal(file).table('numbers').values()).toEqual([{ n: 10 }, { n: 3 }]);
  });

  it('keeps a change whole or not at all: a torn line never happened', () => {
    const before = openJournal(file);
    before.atOnce(() => {
      before.table('a').put(1, 'x');
      before.table('b').put(1, 'y');
    });
    before.close();
    appendFileSync(file, '[["a","2","torn');
    const after = openJournal(file);
    expect(after.table('a').values()).toEqual(['x']);
    expect(after.table('b').values()).toEqual(['y']);
  });

  it('grows by what happens and shrinks to what is at the next start', () => {
    const before = openJournal(file);
    for (let i = 0; i < 500; i += 1) before.table('a').put(1, i);
    before.close();
    const grown = readFileSync(file, 'utf8').length;
    openJournal(file).close();
    expect(readFileSync(file, 'utf8').length).toBeLessThan(grown / 100);
  });
});

describe('the Telegram stand-in, killed in the middle of a chat', () => {
  let child: ChildProcess | null = null;

  afterEach(() => {
    child?.kill('SIGKILL');
    child = null;
  });

  it('comes back with messages, files, waiting updates, and ids that go on rising', async () => {
    const url = await startChild();
    const api = new Api(token, { apiRoot: url });
    const first = await post(url, '/__people/1001/start', {});
    const { message_id } = await api.sendMessage(1001, 'Выберите', {
      reply_markup: { inline_keyboard: [[{ text: 'Да', callback_data: 'yes' }]] },
    });
    await api.setMyCommands([{ command: 'start', description: 'Меню' }]);
    const bytes = await fetch(`${url}/__people/1001/document?name=a.txt`, {
      method: 'POST',
      body: 'содержимое',
    });
    const upload = (await bytes.json()) as { update_id: number };
    await api.getUpdates({ offset: (first as { update_id: number }).update_id + 1 });

    child!.kill('SIGKILL');
    await once(child!, 'exit');

    const telegram = await startTelegramStandIn({ token, journal: file });
    try {
      expect(telegram.people.messages(1001).map(({ text }) => text)).toEqual([
        '/start',
        'Выберите',
        undefined,
      ]);
      expect(telegram.pendingUpdates().map(({ update_id }) => update_id)).toEqual([upload.update_id]);
      const { document } = telegram.people.messages(1001).at(-1)!;
      expect(telegram.file(document!.file_id)?.bytes.toString()).toBe('содержимое');
      expect(telegram.status().commands).toHaveLength(1);
      const said = telegram.people.say(1001, 'дальше');
      expect(said.update_id).toBeGreaterThan(upload.update_id);
      expect(said.message_id).toBeGreaterThan(message_id);
      expect(telegram.people.press(1001, message_id, 'yes').update_id).toBe(said.update_id + 1);
    } finally {
      await telegram.close();
    }
  });

  async function startChild(): Promise<string> {
    const script = fileURLToPath(new URL('./telegram-child.ts', import.meta.url));
    child = spawn(process.execPath, ['--import', 'tsx', script, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout!, 'data')) as [Buffer];
    return line.toString().trim();
  }
});

async function post(url: string, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) });
  expect(response.status).toBe(200);
  return response.json();
}
