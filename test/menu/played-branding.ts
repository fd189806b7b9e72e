import type { BrandingData } from '../../src/menu/branding.ts';

/** The looks of one project's site. */
export const playedBranding = (isThere: (userId: number, projectId: number) => boolean): BrandingData => ({
  page: async (userId, projectId) =>
    isThere(userId, projectId)
      ? {
          projectId,
          projectName: 'Ромашка <&>',
          timezone: 'Europe/Moscow',
          url: 'https://romashka.ru',
          branding: {
            url: 'https://romashka.ru',
            at: '2026-11-17T21:30:00Z',
            colors: { text: '#203040', accent: '#9c2f10' },
            fonts: { heading: 'Inter', body: null },
            logoUrl: null,
          },
          faint: [],
          picture: null,
        }
      : null,
  setColour: async (userId, projectId) => isThere(userId, projectId),
  read: async (userId, projectId) => (isThere(userId, projectId) ? { branding: true, pages: 1_240 } : null),
});
