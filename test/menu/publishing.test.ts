import { expect, it } from 'vitest';
import { type PublishingData, publishingRoutes } from '../../src/menu/publishing.ts';
import { toHtml } from '../../src/messengers/telegram/to-html.ts';
import { to } from '../../src/screens/kit/link.ts';

const visitor = { userId: 7, firstName: 'Анна', isAdmin: false };

it.each([
  ['of a paying person', 290, 'Статья отменена, черновик удалён. Вернулось 290 токенов.'],
  ['that cost nothing, as an admin’s', 0, 'Статья отменена.'],
  ['that somebody has ended before', null, 'Этого черновика уже нет'],
])('the draft %s is cancelled in its own words', async (_, returned, words) => {
  const { pattern, params } = to('draft:{n}:cancel', { n: 1 });
  const data = { cancelDraft: async () => returned } as Partial<PublishingData> as PublishingData;
  const cancel = publishingRoutes(data).find((route) => route.pattern === pattern)!;
  const answer = await cancel.visit(params, visitor);
  expect('notice' in answer && answer.notice && toHtml(answer.notice)).toContain(words);
});
