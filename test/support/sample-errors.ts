import { packLink, to } from '../../src/screens/kit/link.ts';

export const start = { run: 'run-1', userId: 7, origin: packLink(to('nav:projects')) };

/** One that may pass by itself, one that will not, and an unforeseen one. */
export const errors = [
  { code: 'TIMEOUT', userMessage: 'Сервис не отвечает.', retryable: true },
  { code: 'LIMIT_REACHED', userMessage: 'Достигнут предел.', retryable: false },
  new Error('unexpected'),
] as const;

export const refusals = [
  { code: 'OUT_OF_TOKENS', userMessage: 'Недостаточно токенов. Нужно 320, у вас 10.', retryable: false },
  { code: 'RATE_LIMIT', userMessage: 'Слишком часто.', retryable: true },
] as const;
export const refunded = {
  code: 'AI_GENERATION',
  userMessage: 'Нейросеть не отвечает.',
  retryable: true,
  refunded: 50,
};
