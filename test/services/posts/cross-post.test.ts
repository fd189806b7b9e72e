import { describe, expect, it } from 'vitest';
import type { Platform, PostPlatform } from '../../../src/platforms/platforms.ts';
import { crossPostTargets, makeAdaptPost, PictureRequired } from '../../../src/services/posts/cross-post.ts';
import { makePlanCrossPost } from '../../../src/services/posts/plan-cross-post.ts';
import type { Connection } from '../../../src/store/connections.ts';
import type { StoredPost } from '../../../src/store/post-drafts.ts';
import { declaredVariables } from '../ai/declared-variables.ts';
import { fakeAsk } from '../ai/fake-ask.ts';
import { keptStages } from '../ai/kept-stages.ts';
import { brief } from './flower-shop.ts';

const original = {
  platform: 'telegram' as const,
  text: '<b>Букет невесты</b> собираем утром.\n\n#букет',
  hasPicture: true,
};

function adapting() {
  const { ask, questions } = fakeAsk({
    cross_post: [
      { text: 'Утром соберём **букет невесты**.', hashtags: ['букет', 'свадьба', 'казань'], pin_title: '' },
    ],
  });
  const adaptPost = makeAdaptPost({ ask });
  const adapt = (target: PostPlatform, hasPicture = true) =>
    adaptPost({
      brief,
      keyword: 'букет невесты',
      original: { ...original, hasPicture },
      target,
      userId: 7,
      stage: keptStages().run,
      signal: new AbortController().signal,
    });
  return { adapt, questions };
}

describe('a post for another platform', () => {
  it('is told anew from the published one, as that platform takes it', async () => {
    const { adapt, questions } = adapting();
    expect(await adapt('vk')).toMatchObject({
      platform: 'vk',
      text: 'Утром соберём букет невесты.\n\n#букет #свадьба #казань',
      title: null,
      words: 7,
      warnings: [],
      promptVersion: 'cross_post_v1',
    });
    expect(questions).toMatchObject([
      {
        task: 'cross_post',
        variables: {
          original_text: original.text,
          source_platform: 'telegram',
          target_platform: 'vk',
          keyword: 'букет невесты',
          company_city: 'Казань',
          company_phone: '+7 843 123-45-67',
          social_link: 'https://vk.com/flora_kazan',
          prices_excerpt: brief.topic.prices,
        },
      },
    ]);
    expect(Object.keys(questions[0]?.variables ?? {}).sort()).toEqual(declaredVariables('cross_post_v1'));
  });

  it('gets the title that a pin needs from its text', async () => {
    const { adapt } = adapting();
    expect((await adapt('pinterest')).title).toBe('Утром соберём букет невесты.');
  });

  it('is not even asked for when the platform wants a picture and there is none', async () => {
    const { adapt, questions } = adapting();
    await expect(adapt('pinterest', false)).rejects.toBeInstanceOf(PictureRequired);
    expect(questions).toEqual([]);
  });
});

describe('a post can go as well', () => {
  const connection = (id: number, platform: Platform, status = 'active') => ({ id, platform, status });
  const all = [
    connection(1, 'wordpress'),
    connection(2, 'telegram'),
    connection(3, 'telegram'),
    connection(4, 'vk', 'error'),
    connection(5, 'pinterest'),
    connection(6, 'max'),
  ];
  const ids = (hasPicture: boolean) => crossPostTargets(all, { id: 2 }, hasPicture).map(({ id }) => id);

  it('to the other social connections that work, a second channel among them', () => {
    expect(ids(true)).toEqual([3, 5, 6]);
  });

  it('to Pinterest only with a picture', () => {
    expect(ids(false)).toEqual([3, 6]);
  });

  it('leaves the picture out where the key takes none, and says where before anything is charged', async () => {
    const to = (id: number, metadata: object) => ({
      id,
      platform: 'vk',
      status: 'active',
      identifier: `-${id}`,
      metadata,
    });
    const planCrossPost = makePlanCrossPost({
      original: async () => ({ id: 1, projectId: 5, connectionId: 2, images: [{}] }) as object as StoredPost,
      servedBy: async () => [],
      listConnections: async () =>
        [
          to(8, { title: 'Стена', name: 'Магазин', photos: false }),
          to(9, { title: 'Клуб', photos: true }),
        ] as Connection[],
      balanceOf: async () => 100,
    });
    const { targets } = await planCrossPost({ userId: 7, publicationId: 3 });
    expect(targets.map(({ place, picture }) => [place, picture])).toEqual([
      ['Магазин', false],
      ['Клуб', true],
    ]);
  });
});
