/** A bot in miniature for database.test.ts: commits one row after the other and says so, until it is killed. */
import { openDatabase } from '../../src/store/database.ts';
import { applySchema } from '../../src/store/schema.ts';

const [dataDir = ''] = process.argv.slice(2);
const { sql } = await openDatabase({ dataDir });
await applySchema(sql);
const [row] = await sql<[{ count: number }]>`select count(*) from key_values`;
for (let n = row.count + 1; ; n++) {
  await sql.begin(async (tx) => {
    await tx`insert into key_values (key, value, expires_at) values (${n}, '', 'infinity')`;
    await tx`insert into operations (key, user_id, request_hash) values (${n}, 1, '')`;
  });
  process.stdout.write(`${n}\n`);
}
