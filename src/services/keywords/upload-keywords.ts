import type { KeywordsUploaded, UploadKeywordsInput } from '../../../machines/fragments/keyword-upload.ts';
import { CategoryGone } from '../../errors.ts';
import type { Payment } from '../../store/purse.ts';
import type { FetchMaterial } from '../category/fetch-material.ts';
import type { LimitedWork } from '../money/limited-work.ts';
import type { Purse } from '../money/paid-work.ts';
import type { Brief } from '../projects/brief.ts';
import type { AddKeywords } from './add-keywords.ts';
import { countKeywords } from './edit-keywords.ts';
import type { EnrichUpload, UploadedPhrases } from './enrich-upload.ts';
import { MOST_FILE_BYTES, type ReadPhrases, readPhraseFile, readPhraseText } from './read-phrases.ts';

type Deps = {
  fetchMaterial: FetchMaterial;
  briefOf(userId: number, categoryId: number): Promise<Brief | null>;
  purse(payment: Payment): Purse;
  limitedWork: LimitedWork;
  enrichUpload: EnrichUpload;
  addKeywords: AddKeywords;
};

/** The person's own phrases, free of charge: read, looked up, grouped and added to the category. */
export const makeUploadKeywords =
  ({ fetchMaterial, briefOf, purse, limitedWork, enrichUpload, addKeywords }: Deps) =>
  async (
    { key, userId, ...order }: UploadKeywordsInput,
    signal: AbortSignal,
    report: UploadedPhrases['report'],
  ): Promise<KeywordsUploaded> => {
    const { categoryId, material } = order;
    // Before anything counts: a list that cannot be used takes nothing of the hour's limit (E25).
    const { phrases, encoding } = await read();
    const description = `свои фразы: ${phrases.length}`;
    const call = { key, userId, request: order, signal };
    const needs = { slots: { keyword_generation: 1 } };
    return limitedWork(call, needs, purse({ key, userId, parts: {}, description }), async (stage, lease) => {
      const brief = await stage('brief', async () => {
        const known = await briefOf(userId, categoryId);
        if (!known) throw new CategoryGone(categoryId);
        return { company: known.company, topic: known.topic };
      });
      const set = await enrichUpload({ brief, phrases, userId, stage, report, signal: lease });
      const added = await addKeywords({ key, userId, categoryId, request: order, city: null }, set.keywords);
      const { source, grouping, market } = set;
      const counts = { ...countKeywords(set.keywords), added };
      return { result: { ...counts, source, grouping, market, encoding, spent: 0, returned: 0 }, spent: 0 };
    });

    async function read(): Promise<ReadPhrases> {
      if (material.kind === 'text') return { phrases: readPhraseText(material.text), encoding: 'utf-8' };
      return readPhraseFile(await fetchMaterial(material.file, MOST_FILE_BYTES, signal));
    }
  };
