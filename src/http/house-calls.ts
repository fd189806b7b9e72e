import { z } from 'zod';
import type { Log } from '../log.ts';
import { type NoticeType, type Notified, noticeTypes } from '../services/notify/notify-people.ts';
import { cleanupPath, notifyPath, rankPath } from '../services/schedules/house-calls.ts';
import type { HttpHandler } from './server.ts';
import { type IsSigned, neverAgain, signedCallHandler } from './signed-call.ts';

const notification = z.object({ action: z.literal('notify'), type: z.enum(noticeTypes) });

export type HouseWork = {
  cleanUp(): Promise<object>;
  checkRanks(): Promise<object>;
  notify(type: NoticeType): Promise<Notified>;
};

/** What the scheduler asks of the house at fixed hours. Each is safe to repeat: the second time finds nothing to do. */
export function houseCallHandlers({
  isSigned,
  work,
  log,
}: {
  isSigned: IsSigned;
  work: HouseWork;
  log: Log;
}): HttpHandler[] {
  return [
    signedCallHandler(
      cleanupPath,
      isSigned,
      async () => ({ status: 200, body: { status: 'ok', ...(await work.cleanUp()) } }),
      log,
    ),
    signedCallHandler(
      rankPath,
      isSigned,
      async () => ({ status: 200, body: { status: 'ok', ...(await work.checkRanks()) } }),
      log,
    ),
    signedCallHandler(
      notifyPath,
      isSigned,
      async ({ body }) => {
        const parsed = notification.safeParse(body);
        if (!parsed.success) return neverAgain('bad_payload');
        return { status: 200, body: { status: 'ok', ...(await work.notify(parsed.data.type)) } };
      },
      log,
    ),
  ];
}
