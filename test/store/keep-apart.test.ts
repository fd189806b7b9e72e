import { expect, it } from 'vitest';
import { BadConfig } from '../../src/config.ts';
import { keepApart } from '../../src/store/keep-apart.ts';
import { sweepExpired } from '../../src/store/sweep-expired.ts';
import { forEachDatabase } from '../support/stores.ts';

forEachDatabase((sql) => {
  it('the database of a sandbox may be taken over by production, and is closed to the sandbox from then on', async () => {
    await keepApart(sql(), { sandbox: true });
    await keepApart(sql(), { sandbox: true });
    await keepApart(sql(), { sandbox: false });
    await keepApart(sql(), { sandbox: false });
    await sweepExpired(sql(), 86_400);
    await expect(keepApart(sql(), { sandbox: true })).rejects.toThrow(BadConfig);
  });
});
