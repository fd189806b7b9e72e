/** A process that writes one article under its key and tells what came of it. A test kills it where it likes. */
import { pino } from 'pino';
import type { ArticleOffer } from '../../machines/fragments/article-order.ts';
import type { ArticlePreview } from '../../machines/fragments/article-ports.ts';
import type { SupplierSettings } from '../../src/config.ts';
import { openDatabase } from '../../src/store/database.ts';
import { articleWorks } from '../support/article-works.ts';

export type WriterOrder = {
  databaseUrl: string;
  suppliers: SupplierSettings;
  /** For pictures. */
  folder: string;
  key: string;
  userId: number;
  offer: ArticleOffer;
};
export type WriterAnswer = { preview: ArticlePreview } | { error: string };

process.once('message', async ({ databaseUrl, key, userId, offer, ...ground }: WriterOrder) => {
  const database = await openDatabase({ url: databaseUrl, dataDir: '' });
  const works = await articleWorks({ ...ground, sql: database.sql, log: pino({ level: 'silent' }) });
  const answer: WriterAnswer = await works.services
    .generateArticle({ key, userId, offer }, new AbortController().signal, () => undefined)
    .then(
      (preview) => ({ preview }),
      (error) => ({ error: String(error) }),
    );
  await works.close();
  await database.close();
  process.send?.(answer);
  process.disconnect();
});
