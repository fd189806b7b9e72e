import type {
  AnalysisOffer,
  CompetitorReport,
  competitorAnalysisMachine,
} from '../../machines/competitor-analysis.ts';
import type { AuditOffer, siteAuditMachine } from '../../machines/site-audit.ts';
import { packLink, to } from '../../src/screens/kit/link.ts';
import type { FlowSamples } from './flow-events.ts';

const start = { run: 'run-1', userId: 7, origin: packLink(to('project:{pid}:audit', { pid: 5 })) };

const away = { code: 'SITE_UNREACHABLE', userMessage: 'Сайт недоступен. Проверьте URL', retryable: true };
const refusals = [
  { code: 'OUT_OF_TOKENS', userMessage: 'Недостаточно токенов. Нужно 50, у вас 10.', retryable: false },
  { code: 'RATE_LIMIT', userMessage: 'Слишком часто.', retryable: true },
] as const;
const refunded = { code: 'EXTERNAL_SERVICE', userMessage: 'Недоступно.', retryable: true, refunded: 50 };
const gone = { code: 'NOT_FOUND', userMessage: 'Этой категории больше нет.', retryable: false };
const unforeseen = new Error('unexpected');

const analysisOffer: AnalysisOffer = {
  projectId: 5,
  projectName: 'Ромашка & <Ко>',
  categories: [
    { id: 9, name: 'Свадебные букеты' },
    { id: 10, name: 'Категория с очень длинным названием, которое не помещается на кнопке' },
  ],
  price: 50,
  balance: 1_500,
  isAdmin: false,
};
const report: CompetitorReport = {
  analysisId: 3,
  url: 'https://rival.example/',
  positioning: 'Букеты <за час>.',
  strengths: ['Цены названы сразу.'],
  gaps: ['Как ухаживать за букетом', 'Сколько стоит арка'],
  recommendations: ['Напишите об уходе.'],
  spent: 50,
};
const auditOffer: AuditOffer = {
  projectId: 5,
  projectName: 'Ромашка',
  url: 'https://romashka.ru',
  price: 50,
  balance: 1_500,
  isAdmin: false,
};

/** Samples of the flows that look at sites: the project's own and its competitors'. */
export const siteFlowSamples = {
  CompetitorAnalysis: {
    inputs: {
      'from a project': { ...start, ...analysisOffer },
      'by somebody who cannot pay, without categories': {
        ...start,
        ...analysisOffer,
        categories: [],
        balance: 0,
      },
      'by an admin': { ...start, ...analysisOffer, balance: 0, isAdmin: true },
    },
    texts: { url: ['rival.example', 'https://rival.example/kuhni', 'соперник', ''] },
    presses: [
      { type: 'address.reopened' },
      { type: 'cost.accepted' },
      { type: 'tokens.credited', balance: 8_700 },
      { type: 'progress.made', stage: 'comparing' },
      { type: 'work.delayed' },
      { type: 'gaps.wanted', categoryId: 9 },
      { type: 'gaps.wanted', categoryId: 10 },
      { type: 'gaps.wanted', categoryId: 77 },
      { type: 'report.kept' },
      { type: 'cancelled' },
    ],
    actors: {
      reachPage: { outputs: [null], errors: [away, unforeseen] },
      analyseCompetitor: {
        outputs: [report, { ...report, positioning: '', strengths: [], gaps: [], spent: 0 }],
        errors: [...refusals, refunded, unforeseen],
      },
      addGaps: {
        outputs: [
          { categoryId: 9, categoryName: 'Свадебные букеты', added: 2 },
          { categoryId: 9, categoryName: 'Свадебные букеты', added: 0 },
        ],
        errors: [gone, unforeseen],
      },
    },
    enough: ({ attempts }) => attempts > 3,
  },
  SiteAudit: {
    inputs: {
      'from a project': { ...start, ...auditOffer },
      'by somebody who cannot pay': { ...start, ...auditOffer, balance: 0 },
      'by an admin': { ...start, ...auditOffer, balance: 0, isAdmin: true },
    },
    texts: {},
    presses: [
      { type: 'cost.accepted' },
      { type: 'tokens.credited', balance: 8_700 },
      { type: 'work.delayed' },
      { type: 'cancelled' },
    ],
    actors: { auditSite: { outputs: [{ spent: 50 }], errors: [...refusals, refunded, unforeseen] } },
    enough: ({ attempts }) => attempts > 1,
  },
} satisfies {
  CompetitorAnalysis: FlowSamples<typeof competitorAnalysisMachine>;
  SiteAudit: FlowSamples<typeof siteAuditMachine>;
};
