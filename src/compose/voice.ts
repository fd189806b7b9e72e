import { randomUUID } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { VoiceData } from '../menu/voice.ts';
import type { RateLimits } from '../services/money/rate-limits.ts';
import { makeReadVoice } from '../services/projects/read-voice.ts';
import type { Sql } from '../store/database.ts';
import { makeProjectVoices } from '../store/project-voices.ts';
import type { Writing } from './writing.ts';

type Ground = {
  sql: Sql;
  limits: RateLimits;
  writing: Pick<Writing, 'mapSite' | 'readPage' | 'ask'>;
  readsSites: boolean;
  log: Log;
};

/** How a company speaks: read from its own texts, corrected by its owner, used in all that is written for it. */
export function composeVoice({ sql, limits, writing, readsSites, log }: Ground): VoiceData {
  const voices = makeProjectVoices(sql);
  const readVoice = makeReadVoice({ ...writing, log });
  return {
    put: voices.put,
    async page(userId, projectId) {
      const found = await voices.find(userId, projectId);
      if (!found) return null;
      const { voice = '', author = '', websiteUrl, telegram } = found.company;
      const { projectName } = found;
      const hasTexts = websiteUrl !== '' || telegram !== '';
      return { projectId, projectName, voice, author, hasTexts, readsSites };
    },
    async read(userId, projectId) {
      const found = await voices.find(userId, projectId);
      if (!found) return null;
      const attempt = `voice_reading:${randomUUID()}`;
      try {
        await limits.reserve(attempt, userId, { voice_reading: 1 });
        const { voice, texts } = await readVoice({ company: found.company, projectId, userId });
        await voices.put(userId, projectId, 'voice', voice);
        return { texts };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return { refused: error.userMessage };
      }
    },
  };
}
