import type { articleRefreshMachine, RefreshOffer, RefreshProposal } from '../../machines/article-refresh.ts';
import { packLink, to } from '../../src/screens/kit/link.ts';
import type { FlowSamples } from './flow-events.ts';

const start = { run: 'run-1', userId: 7, origin: packLink(to('publication:{n}:result', { n: 3 })) };
const offer: RefreshOffer = {
  publicationId: 3,
  keyword: 'букет <невесты>',
  url: 'https://romashka.ru/buket',
  price: 200,
  balance: 1_500,
  isAdmin: false,
};
const proposal: RefreshProposal = {
  refreshId: 4,
  title: 'Букет <невесты>',
  changes: ['В первой десятке 3 новые страницы.'],
  added: ['Сколько стоит букет?'],
  removed: ['Как было <раньше>'],
  unchanged: 20,
  words: { before: 1_800, after: 1_900 },
  previewUrl: 'https://telegra.ph/x',
  spent: 190,
};
const refusals = [
  { code: 'OUT_OF_TOKENS', userMessage: 'Недостаточно токенов. Нужно 200, у вас 10.', retryable: false },
  { code: 'RATE_LIMIT', userMessage: 'Слишком часто.', retryable: true },
] as const;
const refunded = { code: 'AI', userMessage: 'Недоступно.', retryable: true, refunded: 200 };
const unforeseen = new Error('unexpected');

export const refreshFlowSamples = {
  ArticleRefresh: {
    inputs: {
      'from a publication': { ...start, ...offer, proposal: null },
      'by somebody who cannot pay': { ...start, ...offer, balance: 0, proposal: null },
      'by an admin': { ...start, ...offer, isAdmin: true, proposal: null },
      'with a proposal that waits': { ...start, ...offer, proposal },
    },
    texts: {},
    presses: [
      { type: 'cost.accepted' },
      { type: 'draft.approved' },
      { type: 'draft.declined' },
      { type: 'tokens.credited', balance: 8_700 },
      { type: 'work.delayed' },
      { type: 'cancelled' },
    ],
    actors: {
      proposeRefresh: {
        outputs: [proposal, { ...proposal, changes: [], added: [], removed: [], previewUrl: null }],
        errors: [...refusals, refunded, unforeseen],
      },
      applyRefresh: { outputs: [{ url: 'https://romashka.ru/buket' }], errors: [unforeseen] },
      declineRefresh: { outputs: [{ returned: 190 }, { returned: 0 }], errors: [unforeseen] },
    },
    enough: ({ attempts }) => attempts > 2,
  },
} satisfies { ArticleRefresh: FlowSamples<typeof articleRefreshMachine> };
