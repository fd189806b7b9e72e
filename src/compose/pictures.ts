import { join } from 'node:path';
import { createSupabaseStorage } from '../clients/supabase-storage.ts';
import type { Config } from '../config.ts';
import { createPictureFolder } from '../store/picture-folder.ts';
import { deriveSigningKey } from '../store/signing-key.ts';

/** Where pictures and files live: in the folder, which the bot serves itself, unless they live elsewhere. */
export function composePictures({ supabase, dataDir, publicUrl, port, sandbox }: Config, key: string) {
  const folder = createPictureFolder({
    folder: join(dataDir, 'pictures'),
    key: deriveSigningKey(key, 'picture addresses'),
    baseUrl: publicUrl ?? `http://localhost:${port}`,
  });
  return {
    folder,
    pictures: supabase ? createSupabaseStorage(supabase) : folder,
    /** Whether people's browsers reach them. The sandbox's people sit at this machine. */
    arePublic: Boolean(supabase) || publicUrl !== undefined || sandbox,
  };
}
