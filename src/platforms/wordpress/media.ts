import { slug } from '../../services/content/slug.ts';
import { pictureFormat } from '../../services/pictures/picture-format.ts';
import { createOnce, OutcomeUnknown } from '../create-once.ts';
import type { WordPressMedia } from './client.ts';
import { WordPressFailed, type WordPressFault } from './client-failed.ts';
import { asHtml, type Moved } from './content.ts';
import { mayHaveArrived, patiently, type WordPressRun } from './run.ts';

export type WordPressImage = {
  /** As the article's HTML has it. */
  url: string;
  /** Null: it is nowhere any more. */
  bytes: Uint8Array | null;
  contentType: string;
  filename: string;
  alt: string;
  caption: string;
};
type Held = WordPressImage & { bytes: Uint8Array };

/** With these nothing else will work either: the whole publication waits, instead of going out without pictures. */
const endsEverything: readonly WordPressFault[] = [
  ...(['address-refused', 'unreachable', 'certificate', 'moved', 'busy'] as const),
  ...(['wrong-password', 'passwords-off', 'not-logged-in'] as const),
];
const NO_ANSWER = 'сайт не подтвердил загрузку.';
const GONE = 'файл не сохранился.';

/** Each picture to the site's own library. One that fails is left out, and told about. */
export async function moveImages(
  run: WordPressRun,
  images: readonly WordPressImage[],
): Promise<{ moved: Moved[]; warnings: string[] }> {
  const moved: Moved[] = [];
  const left = new Map<string, number[]>();
  for (const [index, image] of images.entries()) {
    const n = index + 1;
    if (!isHeld(image)) {
      leaveOut(image, n, GONE);
      continue;
    }
    try {
      const to = await run.stage(`media:${n}`, () => upload(run, image, n));
      moved.push({ from: image.url, to });
    } catch (error) {
      leaveOut(image, n, reasonToLeaveOut(error));
      run.log.warn({ err: error, picture: n }, 'a picture was left out of a WordPress post');
    }
  }
  return { moved, warnings: [...left].map(([why, numbers]) => warning(why, numbers)) };

  function leaveOut({ url }: WordPressImage, n: number, why: string): void {
    left.set(why, [...(left.get(why) ?? []), n]);
    moved.push({ from: url, to: null });
  }
}

const isHeld = (image: WordPressImage): image is Held => image.bytes !== null;

async function upload(run: WordPressRun, image: Held, n: number): Promise<WordPressMedia> {
  const { wordpress, access, signal } = run;
  // Its own on this site, so that it can be found again when the answer is lost.
  const name = `${slug(image.filename.replace(/\.\w+$/u, '')) || 'picture'}-${run.mark.slice(0, 6)}${n}`;
  const { extension, contentType } = pictureFormat(image.bytes) ?? {
    extension: slug(image.contentType.split('/')[1] ?? '') || 'jpg',
    contentType: image.contentType,
  };
  const file = { bytes: image.bytes, contentType, filename: `${name}.${extension}` };
  const find = () => wordpress.findMedia(access, name, signal);
  const made =
    (run.resumed ? await find() : null) ??
    (await createOnce(
      () => patiently(run, () => wordpress.uploadMedia(access, file, signal)),
      mayHaveArrived,
      {
        find,
        pause: () => run.pause(run.lookAgainMs),
      },
    ));
  await describe(run, made, image);
  return made;
}

/** The text has the words as well, so that a failure here costs the reader nothing. */
async function describe(
  run: WordPressRun,
  { id }: WordPressMedia,
  { alt, caption }: WordPressImage,
): Promise<void> {
  try {
    await run.wordpress.describeMedia(
      run.access,
      id,
      { alt_text: alt, caption: asHtml(caption) },
      run.signal,
    );
  } catch (error) {
    if (!(error instanceof WordPressFailed)) throw error;
    run.log.warn({ err: error, media: id }, 'a picture in a WordPress library stays without its words');
  }
}

function reasonToLeaveOut(error: unknown): string {
  if (error instanceof OutcomeUnknown) return NO_ANSWER;
  if (error instanceof WordPressFailed && !endsEverything.includes(error.fault)) return error.userMessage;
  throw error;
}

function warning(why: string, numbers: readonly number[]): string {
  const which =
    numbers.length === 1 ? `Картинка ${numbers[0]} не попала` : `Картинки ${numbers.join(', ')} не попали`;
  return `${which} в статью: ${why.charAt(0).toLowerCase()}${why.slice(1)}`;
}
