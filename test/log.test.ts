import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openStage } from './engine/stage.ts';

const here = dirname(fileURLToPath(import.meta.url));

/** What a process that logs so writes, line by line. The log goes to a file descriptor: only a child shows it. */
async function written(script: string): Promise<Record<string, never>[]> {
  const code = `
    const { createLog } = await import('../src/log.ts');
    const log = createLog('debug', false);
    ${script}`;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code], {
    cwd: here,
  });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('the log', () => {
  it('cuts secrets out, wherever they stand', async () => {
    const lines = await written(`
      log.info({ token: 's3cret', password: 's3cret', authorization: 's3cret' }, 'at the top');
      log.info({ connection: { credentials: 's3cret', app_password: 's3cret' } }, 'below');
      log.info({ a: { b: { access_token: 's3cret', secret: 's3cret' } } }, 'further below');
      log.info({ request: { headers: { authorization: 's3cret' }, path: '/me' } }, 'in a request');
      const command = { name: 'hello', args: ['3', 'AUTH', 'default', 's3cret'] };
      log.warn({ err: Object.assign(new Error('WRONGPASS'), { command }) }, 'in what Redis refused');
    `);
    expect(JSON.stringify(lines)).not.toContain('s3cret');
    expect(lines[4]).toMatchObject({ err: { message: 'WRONGPASS', command: { name: 'hello' } } });
    expect(lines[3]).toMatchObject({ request: { headers: { authorization: '[cut]' }, path: '/me' } });
  });

  it('cuts the token of the bot out of every text, also of an error and its cause', async () => {
    const token = '7001234567:AAF-x_0123456789abcdefghijklmnopqrst';
    const lines = await written(`
      const url = 'https://api.telegram.org/bot${token}/sendMessage';
      log.warn('asked ' + url);
      log.warn({ url }, 'asked');
      log.error({ err: new Error('failed: ' + url, { cause: new Error('fetch ' + url) }) }, 'failed');
      log.error(new TypeError('failed: ' + url));
    `);
    expect(lines).toHaveLength(4);
    const text = JSON.stringify(lines);
    expect(text).not.toContain('AAF-x_');
    expect(text).toContain('/bot[cut]/sendMessage');
  });

  it('says of every line about an update to whom and to which update it belongs', async () => {
    const stage = openStage();
    const anna = stage.person(stage.start());
    await anna.does({ kind: 'command', name: 'start', payload: '' }, 71);
    await anna.presses('Проекты');
    await anna.presses('Создать проект');
    await anna.does({ kind: 'text', text: 'Ромашка' }, 74);
    await stage.close();
    const line = stage.log.findLast(({ msg }) => msg === 'transition');
    expect(line).toMatchObject({ user: anna.userId, update: 74 });
  });

  it('tells every transition in one line: flow, from, event, to and how long it took', async () => {
    const stage = openStage();
    const anna = stage.person(stage.start());
    await anna.commands('start');
    await anna.presses('Проекты');
    await anna.presses('Создать проект');
    for (const text of ['Ромашка', 'x', 'ООО «Ромашка»', 'Доставка цветов', 'https://romashka.ru']) {
      await anna.says(text);
    }
    await stage.close();
    const lines = stage.log.filter(({ msg }) => msg === 'transition');
    expect(lines.map(({ flow, from, event, to }) => [flow, from, event, to])).toEqual([
      ['ProjectCreate', null, 'flow.started', 'name'],
      ['ProjectCreate', 'name', 'text.received', 'company_name'],
      ['ProjectCreate', 'company_name', 'text.received', 'company_name'],
      ['ProjectCreate', 'company_name', 'text.received', 'specialization'],
      ['ProjectCreate', 'specialization', 'text.received', 'website_url'],
      ['ProjectCreate', 'website_url', 'text.received', 'saving'],
      ['ProjectCreate', 'saving', 'xstate.done.actor.saveProject', 'created'],
    ]);
    for (const { ms } of lines) expect(ms).toEqual(expect.any(Number));
  });

  it('keeps what people write to themselves', async () => {
    const stage = openStage();
    const anna = stage.person(stage.start());
    await anna.commands('start');
    await anna.presses('Проекты');
    await anna.presses('Создать проект');
    await anna.says('Тайный проект');
    await stage.close();
    expect(JSON.stringify(stage.log)).not.toContain('Тайный');
  });
});
