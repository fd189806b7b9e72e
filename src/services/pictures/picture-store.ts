/** Where pictures live between drawing and publishing. Paths are relative: `{user}/{project}/{file}`. */
export type PictureStore = {
  /** Saving twice under one path keeps the second. */
  save(path: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** An address that anybody may open until it expires. */
  signedUrl(path: string, seconds: number): Promise<string>;
  /** Null: there is no such picture. */
  read(path: string): Promise<Buffer | null>;
  /** Removing a missing file is not an error. */
  remove(paths: readonly string[]): Promise<void>;
  /** Paths of everything saved before this moment. */
  listOlderThan(moment: Date): Promise<string[]>;
};

/** A preview lives as long. */
export const SIGNED_SECONDS = 86_400;
