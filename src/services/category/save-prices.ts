import type { PricesSaved, SavePricesInput } from '../../../machines/fragments/price-work.ts';
import type { Operations } from '../../engine/operations.ts';
import { CategoryGone } from '../../errors.ts';
import type { FetchMaterial } from './fetch-material.ts';
import { type PriceList, readPriceText } from './prices-file/price-list.ts';
import { MOST_FILE_BYTES } from './prices-file/read-price-file.ts';

type Deps<Tx> = {
  fetchMaterial: FetchMaterial;
  /** A file will have to be read soon. */
  expectFile(): void;
  readPriceFile(file: Uint8Array): Promise<PriceList>;
  operations: Pick<Operations<Tx>, 'inTransaction'>;
  put(userId: number, categoryId: number, field: 'prices', text: string, on: Tx): Promise<boolean>;
};

/** Reads the whole list first: one that is refused has changed nothing. */
export const makeSavePrices =
  <Tx>({ fetchMaterial, expectFile, readPriceFile, operations, put }: Deps<Tx>) =>
  async ({ key, userId, ...order }: SavePricesInput, signal: AbortSignal): Promise<PricesSaved> => {
    const { categoryId, material } = order;
    const { lines, skipped } = await read();
    return operations.inTransaction({ key, userId, request: order }, async (tx) => {
      if (!(await put(userId, categoryId, 'prices', lines.join('\n'), tx)))
        throw new CategoryGone(categoryId);
      return { count: lines.length, skipped };
    });

    async function read(): Promise<PriceList> {
      if (material.kind === 'text') return readPriceText(material.text);
      expectFile();
      return readPriceFile(await fetchMaterial(material.file, MOST_FILE_BYTES, signal));
    }
  };
