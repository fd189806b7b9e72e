import { beforeEach, describe, expect, it } from 'vitest';
import { makeOpenDraft } from '../../../src/services/article/open-draft.ts';
import type { Connection } from '../../../src/store/connections.ts';
import type { Draft } from '../../../src/store/draft.ts';

const OWNER = 7;
const DRAFT = 41;

let draft: Draft;
let sites: Connection[];
beforeEach(() => {
  draft = {
    id: DRAFT,
    userId: OWNER,
    projectId: 5,
    categoryId: 9,
    connectionId: 3,
    keyword: 'букет невесты',
    title: 'Букет невесты',
    html: '<h1>Букет невесты</h1><p>Под платье.</p>',
    words: 1_800,
    images: [],
    telegraph: null,
    tokens: 230,
    status: 'draft',
    regenerations: 0,
    details: {
      seoTitle: '',
      metaDescription: '',
      contentHash: null,
      modelUsed: '',
      promptVersion: '',
      generationTimeMs: 1,
      price: { text: 200, images: 30 },
      notes: [],
      imagesWanted: 1,
      sections: 1,
    },
  };
  sites = [aSite(3, 'romashka.ru')];
});

const place = { categoryId: 9, categoryName: 'Букеты', projectId: 5, projectName: 'Ромашка' };
const openDraft = (wanted: number | null = null, userId = OWNER) =>
  makeOpenDraft({
    findDraft: async (owner, id) => (owner === OWNER && id === DRAFT ? draft : null),
    placeOf: async () => place,
    listConnections: async () => sites,
    balanceOf: async () => 1_270,
  })(userId, DRAFT, false, wanted);

describe('a draft that is opened again', () => {
  it('is for the site it was written for, though there are others', async () => {
    sites = [aSite(2, 'blog.ru'), ...sites];
    expect(await openDraft()).toMatchObject({
      offer: { connectionId: 3, site: 'romashka.ru', mayBeOn: [] },
      preview: { draftId: DRAFT, spent: 230 },
    });
  });

  it('is for the one site that is left when its own is gone', async () => {
    draft.connectionId = null;
    sites = [aSite(4, 'blog.ru'), { ...aSite(6, '@romashka'), platform: 'telegram' }];
    expect(await openDraft()).toMatchObject({ offer: { connectionId: 4, site: 'blog.ru' } });
  });

  it('waits for the person to choose among several, or to connect one', async () => {
    draft.connectionId = null;
    sites = [aSite(4, 'blog.ru'), aSite(5, 'shop.ru')];
    const homeless = { draftId: DRAFT, title: 'Букет невесты', projectId: 5, categoryId: 9 };
    expect(await openDraft()).toMatchObject({
      homeless: {
        ...homeless,
        sites: [
          { id: 4, identifier: 'blog.ru' },
          { id: 5, identifier: 'shop.ru' },
        ],
      },
    });
    expect(await openDraft(5)).toMatchObject({ offer: { connectionId: 5, site: 'shop.ru' } });
    sites = [];
    expect(await openDraft()).toMatchObject({ homeless: { ...homeless, sites: [] } });
  });

  it('is not for a site that is none of the project’s', async () => {
    expect(await openDraft(404)).toMatchObject({ offer: { connectionId: 3 } });
    draft.connectionId = null;
    sites = [];
    expect(await openDraft(3)).toMatchObject({ homeless: { sites: [] } });
  });

  it('says on which other sites it may stand already', async () => {
    draft.connectionId = null;
    draft.details.mayBeOn = ['romashka.ru', 'blog.ru'];
    sites = [aSite(4, 'blog.ru')];
    expect(await openDraft()).toMatchObject({
      offer: { site: 'blog.ru', mayBeOn: ['romashka.ru'] },
      preview: { inDoubt: true },
    });
    sites = [];
    expect(await openDraft()).toMatchObject({ homeless: { mayBeOn: ['romashka.ru', 'blog.ru'] } });
  });

  it('is not there for anybody else', async () => {
    expect(await openDraft(null, OWNER + 1)).toEqual({ gone: true });
  });
});

function aSite(id: number, identifier: string): Connection {
  return {
    id,
    projectId: 5,
    projectName: 'Ромашка',
    platform: 'wordpress',
    status: 'active',
    identifier,
    metadata: {},
    createdAt: new Date(0),
  };
}
