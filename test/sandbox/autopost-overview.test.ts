import { describe, expect, it } from 'vitest';
import { makeAutopostOverview } from '../../src/sandbox/autopost-overview.ts';
import { forgetPosts } from '../../src/sandbox/forget-posts.ts';
import { aWorkspace, refusal } from '../autopost/store/a-workspace.ts';
import { forEachDatabase } from '../support/stores.ts';

type Workspace = Awaited<ReturnType<typeof aWorkspace>>;
const by = { operator: 'anna', reason: 'looked' };

forEachDatabase((sql) => {
  const lookAt = ({ id, monitor }: Workspace, now = Date.now) => makeAutopostOverview(monitor, id, now)();
  const linesOf = async (workspace: Workspace, now?: () => number) =>
    (await lookAt(workspace, now)).events.map(({ what, words }) => `${what}: ${words}`);

  describe('the overview of autoposting', () => {
    it('counts deliveries, and tells of a post to many channels in one line', async () => {
      const workspace = await aWorkspace(sql(), { channels: 3, title: 'Окна' });
      await workspace.post('Скидки');
      const sent = await workspace.sendOne();
      await workspace.results.markSent([{ ...sent, providerMessageId: '1' }]);
      await workspace.post('Скидки');

      const { counts } = await lookAt(workspace);
      const there = counts.filter(({ amount }) => amount > 0).map(({ title, amount }) => ({ title, amount }));
      expect(there).toEqual([
        { title: 'ждут очереди', amount: 2 },
        { title: 'доставлены', amount: 1 },
        { title: 'уже были там', amount: 3 },
      ]);
      expect(await linesOf(workspace)).toEqual([
        'Каналов: 3: этот пост там уже был',
        'Окна: отправлено',
        'Каналов: 3: ждёт очереди',
      ]);
    });

    it('tells when it will be tried again, and why not now', async () => {
      const workspace = await aWorkspace(sql(), { title: 'Окна' });
      await workspace.post('Скидки');
      const delivery = await workspace.sendOne();
      const error = refusal({ code: '429', retry_after_ms: 60_000 });
      const retry = await workspace.results.scheduleRetry(delivery, error);
      const before = () => retry.nextRetryAt!.getTime() - 11_500;
      expect((await linesOf(workspace, before))[0]).toBe(
        'Окна: повтор через 12 с: площадка просит подождать',
      );
      const after = () => retry.nextRetryAt!.getTime() + 1;
      expect((await linesOf(workspace, after))[0]).toBe('Окна: повторено: площадка просит подождать');
    });

    it('names the channels that take nothing, and why', async () => {
      const workspace = await aWorkspace(sql(), { channels: 2, title: 'Окна' });
      await workspace.post('Скидки');
      const delivery = await workspace.sendOne();
      const error = refusal({ category: 'PERMANENT', scope: 'channel', code: 'not_admin' });
      await workspace.results.failPermanent(delivery, error);
      const { held } = await lookAt(workspace);
      expect(held).toEqual([
        {
          channelId: delivery.channelId,
          words: expect.stringMatching(/^на паузе до \d\d:\d\d: бот не администратор$/u),
        },
      ]);
      expect(await linesOf(workspace)).toContain('Окна: канал на паузе: бот не администратор');
      await workspace.operators.resumeChannel(workspace.id, delivery.channelId, by);
      expect((await lookAt(workspace)).held).toEqual([]);
    });

    it('shows a lost answer as unknown, and an unknown refusal in the platform’s own words', async () => {
      const workspace = await aWorkspace(sql(), { channels: 2, title: 'Окна' });
      await workspace.post('Скидки');
      await workspace.results.markUnknown(await workspace.sendOne(), refusal({ code: 'network' }));
      const odd = refusal({ category: 'PERMANENT', code: 'odd', message: 'PHOTO_INVALID' });
      await workspace.results.failPermanent(await workspace.sendOne(), odd);
      expect((await linesOf(workspace)).slice(0, 2)).toEqual([
        'Окна: отказ: PHOTO_INVALID',
        'Окна: ответ потерялся: неизвестно, дошло ли',
      ]);
    });

    it('is empty when the sandbox was reset, and the same post may come again', async () => {
      const workspace = await aWorkspace(sql(), { channels: 2 });
      await workspace.post('Скидки');
      const error = refusal({ category: 'PERMANENT', scope: 'channel', code: '403' });
      await workspace.results.failPermanent(await workspace.sendOne(), error);
      await forgetPosts(sql(), workspace.id);
      const { counts, events, held } = await lookAt(workspace);
      expect([counts.filter(({ amount }) => amount > 0), events, held]).toEqual([[], [], []]);
      expect(await workspace.post('Скидки')).toMatchObject({ queued: 2, suppressed: 0 });
    });
  });
});
