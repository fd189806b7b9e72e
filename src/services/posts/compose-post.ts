import type { RunStage } from '../../engine/operations.ts';
import { AppError } from '../../errors.ts';
import { type PostPlatform, postRulesOf } from '../../platforms/platforms.ts';
import type { CategoryBrief } from '../../store/briefs.ts';
import type { DrawPictures, StoredPicture } from '../pictures/draw-pictures.ts';
import { detectNiche } from '../quality/niches.ts';
import type { Post } from './to-post.ts';
import type { WritePostInput } from './write-post.ts';

/** The platform publishes nothing without a picture, and none could be drawn. */
class NoPicture extends AppError {
  readonly code = 'NO_PICTURE';
  override readonly retryable = true;
  readonly userMessage =
    'Картинка не нарисовалась, а без неё пин не выйдет. Попробуйте ещё раз через несколько минут.';
}

export type PostOrder = {
  brief: CategoryBrief;
  platform: PostPlatform;
  keyword: string;
  images: number;
  earlier?: WritePostInput['earlier'];
};
type ComposedPost = { post: Post; picture: StoredPicture | null };
export type PostStage = 'writing' | 'images';

type Deps = { writePost(input: WritePostInput): Promise<Post>; drawPictures: DrawPictures };
type Run = {
  userId: number;
  stage: RunStage;
  signal: AbortSignal;
  report(stage: PostStage): void;
};

export type ComposePost = ReturnType<typeof makeComposePost>;

/** A text and its picture, made at the same time: neither needs the other. */
export const makeComposePost =
  ({ writePost, drawPictures }: Deps) =>
  async (order: PostOrder, { userId, stage, signal, report }: Run): Promise<ComposedPost> => {
    const { brief, platform, keyword, images, earlier } = order;
    report('writing');
    const drawing = drawPictures({
      subject: {
        contentType: 'social_post',
        platform,
        keyword,
        title: keyword,
        companyName: brief.company.name,
        specialization: brief.company.specialization,
        niche: detectNiche(brief.company.specialization).niche,
        settings: { ...brief.images, count: images },
        brand: brief.colors,
        sections: [],
        suggestions: [],
      },
      userId,
      projectId: brief.projectId,
      stage,
      signal,
    });
    drawing.catch(() => undefined); // awaited below, unless the text fails first
    const settings = brief.text;
    const asked = { brief, platform, keyword, settings, userId, stage, signal };
    const post = await writePost(earlier ? { ...asked, earlier } : asked);
    report('images');
    const { pictures } = await drawing;
    if (images > 0 && pictures.length === 0 && postRulesOf(platform).picture === 'required')
      throw new NoPicture(`${platform}: no picture could be drawn`);
    return { post, picture: pictures[0] ?? null };
  };
