import type { SiteToolsData } from '../../src/menu/site-tools.ts';

const categories = [{ id: 9, name: 'Свадебные букеты' }];
const figures = {
  performance: 62,
  seo: 95,
  accessibility: null,
  bestPractices: 45,
  lcpMs: 3_100,
  inpMs: null,
  cls: 0.31,
  ttfbMs: 900,
};
const at = '2026-11-17T21:30:00Z';

/** The site of one project and one analysed competitor. */
export function playedSiteTools(isThere: (userId: number, projectId: number) => boolean): SiteToolsData {
  const site = { projectId: 5, projectName: 'Ромашка', timezone: 'Europe/Moscow' };
  const analysis = {
    ...site,
    id: 3,
    url: 'https://rival.example/',
    at: new Date(at),
    positioning: 'Букеты <за час>.',
    strengths: ['Цены названы сразу.'],
    gaps: ['Как ухаживать за букетом'],
    recommendations: ['Напишите об уходе.'],
    categories,
  };
  return {
    page: async (userId, projectId) =>
      isThere(userId, projectId)
        ? {
            ...site,
            url: 'https://romashka.ru',
            analyses: 1,
            picture: null,
            audit: {
              url: 'https://romashka.ru',
              at,
              figures,
              recommendations: [{ title: 'Сожмите картинки' }],
              previous: { at, figures: { ...figures, performance: 40 } },
            },
          }
        : null,
    auditOffer: async (userId, projectId) =>
      isThere(userId, projectId)
        ? { projectId, projectName: site.projectName, url: 'https://romashka.ru', price: 50, balance: 1_500 }
        : null,
    analysisOffer: async (userId, projectId) =>
      isThere(userId, projectId)
        ? { projectId, projectName: site.projectName, categories, price: 50, balance: 1_500 }
        : null,
    analyses: async (userId, projectId) =>
      isThere(userId, projectId) ? { ...site, analyses: [analysis] } : null,
    analysis: async (userId) => (isThere(userId, site.projectId) ? analysis : null),
    addGaps: async (userId, _, categoryId) =>
      isThere(userId, site.projectId) && categoryId === 9
        ? { categoryId, categoryName: 'Свадебные букеты', added: 1 }
        : null,
  };
}
