import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTelegramApi } from '../../../src/clients/telegram-api.ts';
import { BadConfig } from '../../../src/config.ts';
import { createLog } from '../../../src/log.ts';
import { prepareTelegram } from '../../../src/messengers/telegram/prepare.ts';
import { startTelegramStandIn, type TelegramStandIn } from '../../../src/sandbox/telegram/start.ts';

const token = '1000000001:TEST-TOKEN-OF-NO-VALUE-AT-ALL';
const silent = createLog('silent', false);

let telegram: TelegramStandIn;
beforeEach(async () => {
  telegram = await startTelegramStandIn({ token });
});
afterEach(() => telegram.close());

const botWith = (its: string) => openTelegramApi(its, { apiRoot: telegram.url, timeoutSeconds: 5 });

it('introduces the bot with its commands', async () => {
  expect(await prepareTelegram(botWith(token), null, silent)).toMatchObject({ is_bot: true });
  expect(telegram.status().commands.map(({ command }) => command)).toEqual([
    'start',
    'help',
    'cancel',
    'paysupport',
    'terms',
  ]);
});

it('asks for a webhook with its secret where there is an address for it', async () => {
  await prepareTelegram(botWith(token), { url: 'http://127.0.0.1:9/webhook', secret: 'a-secret' }, silent);
  const call = telegram.calls().find(({ method }) => method === 'setWebhook');
  expect(call?.fields).toMatchObject({ url: 'http://127.0.0.1:9/webhook', secret_token: 'a-secret' });
});

it('names the setting when Telegram does not know the token, instead of asking for ever', async () => {
  const stranger = botWith('1000000002:A-TOKEN-THAT-TELEGRAM-NEVER-GAVE');
  await expect(prepareTelegram(stranger, null, silent)).rejects.toThrow(BadConfig);
});

it('names the setting when Telegram does not take the address as a webhook, instead of asking for ever', async () => {
  telegram.faults.add({ match: 'setWebhook', times: null, fault: { kind: 'status', status: 400 } });
  const webhook = { url: 'http://bot.example/webhook', secret: 'a-secret' };
  await expect(prepareTelegram(botWith(token), webhook, silent)).rejects.toThrow(
    /^PUBLIC_URL: Telegram does not take http:\/\/bot\.example\/webhook as a webhook/u,
  );
});

it('starts without the niceties that a Bot API of another make may lack', async () => {
  for (const method of ['setMyCommands', 'deleteWebhook']) {
    telegram.faults.add({ match: method, times: 1, fault: { kind: 'status', status: 404 } });
  }
  expect(await prepareTelegram(botWith(token), null, silent)).toMatchObject({ is_bot: true });
});

it('waits for a Telegram that is not there yet', async () => {
  telegram.faults.add({ match: 'getMe', times: 1, fault: { kind: 'status', status: 502 } });
  expect(await prepareTelegram(botWith(token), null, silent)).toMatchObject({ is_bot: true });
});
