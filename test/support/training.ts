import { inject } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { startSupplierStandIns } from '../../src/sandbox/supplier-stand-ins.ts';
import { keptLog } from '../services/pictures/kept-log.ts';
import { type Ground, startBot } from './bot.ts';
import { heldModels } from './held-models.ts';
import { impatient } from './impatient.ts';
import { freshPostgresUrl } from './stores.ts';

/** PostgreSQL alone keeps the sessions too: the seed's two tables in one database. */
export type TrainingGround = Ground | 'PostgreSQL';

export const trainingGrounds: TrainingGround[] = [
  'embedded',
  ...(inject('postgresUrl') ? (['PostgreSQL'] as const) : []),
  ...(inject('postgresUrl') && inject('redisUrl') ? (['PostgreSQL and Redis'] as const) : []),
];

export type TrainingBot = Awaited<ReturnType<typeof startTrainingBot>>;

/** The whole bot, whose counterparts are played by the author of the sandbox. */
export async function startTrainingBot(ground: TrainingGround = 'embedded') {
  const models = heldModels();
  const played = await startSupplierStandIns(loadConfig({}).suppliers, {
    modelThinksMs: 0,
    author: models.author,
  });
  const { log, lines } = keptLog();
  const env: Record<string, string> =
    ground === 'PostgreSQL' ? { DATABASE_URL: await freshPostgresUrl() } : {};
  const bot = await startBot(ground === 'PostgreSQL' ? 'embedded' : ground, env, log, {
    suppliers: impatient(played.suppliers),
  });
  const { openRouter } = played.byName as Required<typeof played.byName>;
  return { bot, models, openRouter, lines, talking, stop };

  /** A person who has pressed «Начать диалог». */
  async function talking(command = '/fbpeer') {
    const person = bot.person();
    person.says('/start');
    await person.sees('ИИ пишет, вы проверяете');
    person.says(command);
    await person.sees('Ваша цель');
    await person.presses('Начать диалог');
    await person.sees(/Ход 1 из \d/);
    return person;
  }

  async function stop(): Promise<void> {
    openRouter.moods.clear();
    models.releaseAll();
    await bot.stop();
    await played.close();
  }
}
