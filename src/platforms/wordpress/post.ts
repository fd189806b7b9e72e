import { createOnce, lookTwice, OutcomeUnknown } from '../create-once.ts';
import type { NewPost, WordPressPost } from './client.ts';
import { WordPressFailed } from './client-failed.ts';
import { holdsAnyMark, holdsMark, lettersOf } from './content.ts';
import { mayHaveArrived, patiently, type WordPressRun } from './run.ts';

type Looking = Pick<WordPressRun, 'wordpress' | 'access' | 'mark' | 'signal'>;
type Sought = { title: string; slug: string; letters: string };

/** WordPress adds `-2` and so on where a slug is taken. */
const MOST_NAMESAKES = 9;

/**
 * Creates the post, once. The caller has noted that it is about to be made; whatever happens to the answer, the
 * mark in its text tells it from every other.
 */
export function createPost(run: WordPressRun, fresh: NewPost, sought: Sought): Promise<WordPressPost> {
  const create = () => patiently(run, () => run.wordpress.createPost(run.access, fresh, run.signal));
  return createOnce(() => create().catch(withoutMeta), mayHaveArrived, afterAttempt(run, sought));

  /** WordPress refuses meta only after the post was saved: it is looked for before it is made without them. */
  async function withoutMeta(error: unknown): Promise<WordPressPost> {
    const isAboutMeta = error instanceof WordPressFailed && error.fault === 'meta-refused';
    if (!isAboutMeta || fresh.meta === undefined) throw error;
    const { meta: _, ...plain } = fresh;
    const saved = await lookTwice(afterAttempt(run, sought));
    return saved ?? run.wordpress.createPost(run.access, plain, run.signal);
  }
}

/** The post of an attempt whose answer was lost. Null: certainly not there. */
export const findAfterAttempt = (run: WordPressRun, sought: Sought): Promise<WordPressPost | null> =>
  lookTwice(afterAttempt(run, sought));

/** A post of this very publication, made by whomever and whenever. */
export const findPost = async (run: Looking, sought: Sought): Promise<WordPressPost | null> =>
  (await look(run, sought)).ours;

function afterAttempt(run: WordPressRun, sought: Sought) {
  return {
    pause: () => run.pause(run.lookAgainMs),
    async find(): Promise<WordPressPost | null> {
      const { ours, unmarked } = await look(run, sought);
      // Ours with its mark taken out, or somebody's own of that name: a machine cannot tell.
      if (!ours && unmarked) throw new OutcomeUnknown(`post ${unmarked.id} has our title and no mark`);
      return ours;
    },
  };
}

async function look(run: Looking, { title, slug, letters }: Sought) {
  const isOurs = ({ content }: WordPressPost) => holdsMark(content, run.mark);
  const family = Array.from({ length: MOST_NAMESAKES }, (_, i) => (i === 0 ? slug : `${slug}-${i + 1}`));
  const namesakes = await run.wordpress.findPosts(run.access, { slug: family.join(',') }, run.signal);
  const unmarked = namesakes.find((one) => one.title.trim() === title.trim() && !holdsAnyMark(one.content));
  // The same words under another key, from an older version of this program or without the mark that a plugin took out:
  // the site has the article, and a second one would only harm it.
  const byName = namesakes.find(isOurs) ?? namesakes.find(({ content }) => lettersOf(content) === letters);
  if (byName) return { ours: byName, unmarked };
  // Some plugins rewrite slugs.
  const byMark = await run.wordpress.findPosts(run.access, { search: run.mark }, run.signal);
  return { ours: byMark.find(isOurs) ?? null, unmarked };
}
