import { openDatabase } from '../../src/store/database.ts';
import { applySchema } from '../../src/store/schema.ts';

/** A database of its own on a running server, with the schema of the product. Returns its address. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const server = await openDatabase({ url: serverUrl, dataDir: '', max: 1 });
  await server.sql`create database ${server.sql(name)}`;
  await server.close();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const database = await openDatabase({ url: url.href, dataDir: '', max: 1 });
  await applySchema(database.sql);
  await database.close();
  return url.href;
}
