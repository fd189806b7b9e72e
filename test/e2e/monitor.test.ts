import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.ts';
import { grounds, startBot, type TestBot } from '../support/bot.ts';
import { type ScriptedPerson, scriptedPerson } from '../support/person.ts';

const OWNER_ID = 4_242;
const SECRET = '123456:AAAA-secret-of-a-bot-token-xyz';

describe.each(grounds)('the owner looks into the machine, %s', (ground) => {
  let bot: TestBot;
  let owner: ScriptedPerson;
  beforeAll(async () => {
    bot = await startBot(ground, { ADMIN_ID: String(OWNER_ID) }, createLog('error', false));
    owner = scriptedPerson(bot.telegram, { id: OWNER_ID, first_name: 'Олег' });
    owner.says('/start');
    await owner.sees('ИИ пишет');
    await bot.app.owner.start();
  });
  afterAll(() => bot.stop());

  const file = async () => {
    const { document } = await expect
      .poll(() => owner.messages().findLast((message) => message.document))
      .toBeDefined()
      .then(() => owner.messages().findLast((message) => message.document)!);
    const { file_path } = await bot.app.api.getFile(document!.file_id);
    const answer = await fetch(`${bot.telegram.url}/file/bot${bot.telegram.token}/${file_path}`);
    return answer.text();
  };

  it('sees services with their latency, every process that lives, and one that died', async () => {
    await bot.app.sql`
      insert into processes (id, role, version, memory_mb, busy, started_at, seen_at)
      values ('gone', 'dispatcher', '2.0.0', 90, 0, now() - interval '1 day', now() - interval '5 minutes')`;
    owner.says('АДМИНКА');
    await owner.presses('Мониторинг');
    const { text } = await owner.sees('Мониторинг');
    expect(text).toMatch(/✓ База данных: \d+ мс/u);
    expect(text).toMatch(/✓ бот [\d.]+: [\d\s]+ МБ/u);
    expect(text).toMatch(/✗ отправитель постов 2\.0\.0: пропал/u);
    expect(text).toMatch(/За 24 часа: 0 ошибок/u);
  });

  it('X19: after an unexpected error the person is asked for patience, stays where they are, and the owner reads why', async () => {
    await bot.app.sql`alter table automatic_messages rename to automatic_messages_away`;
    await owner.presses('К панели');
    await owner.presses('Автосообщения');
    await owner.sees('Произошла ошибка. Попробуйте позже.');
    await bot.app.sql`alter table automatic_messages_away rename to automatic_messages`;
    await owner.presses('Автосообщения');
    await owner.sees('Что бот пишет людям сам');
    await owner.forges('admin:monitor');
    await owner.presses('Ошибки за 24 часа');
    await owner.sees('Журнал ошибок за 24 часа');
    expect(await file()).toMatch(/ERROR an update failed: .*automatic_messages.*code 42P01, user 4242/u);
    const [audit] = await bot.app.sql`select details from admin_audit where action = 'error-file'`;
    expect(audit!.details).toEqual({ days: 1 });
  });

  it('never reads a secret in the file, and nothing older than the week', async () => {
    const log = createLog('error', false);
    const { tapErrors } = await import('../../src/log.ts');
    const lines: string[] = [];
    tapErrors(log, (line) => lines.push(line));
    log.error({ token: SECRET, err: new Error(`failed at /bot${SECRET}/sendMessage`) }, 'broken');
    log.info('not grave');
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('secret-of-a-bot-token');
    await bot.app.sql`
      insert into error_log (ts, level, message, process) values (now() - interval '8 days', 'error', 'ancient', 'x')`;
    await bot.app.owner.jobs.purge();
    expect(await bot.app.sql`select from error_log where message = 'ancient'`).toHaveLength(0);
  });
});
