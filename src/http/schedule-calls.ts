import type { Log } from '../log.ts';
import { NoRoom } from '../services/schedules/fair-gate.ts';
import type { TakeSlotCall } from '../services/schedules/take-slot-call.ts';
import { failurePath, publishPath } from '../services/schedules/triggers.ts';
import type { HttpHandler } from './server.ts';
import {
  type IsSigned,
  laterAgain,
  neverAgain,
  type SignedAnswer,
  type SignedCall,
  signedCallHandler,
} from './signed-call.ts';

const SHUTTING_DOWN_SECONDS = 60;
const NO_ROOM_SECONDS = 120;

type Deps = {
  isSigned: IsSigned;
  takeSlotCall: TakeSlotCall;
  noteGivenUp(body: unknown): Promise<void>;
  isStopping(): boolean;
  log: Log;
};

/**
 * Slots of schedules. Whatever became of the text is answered with 200, so that it is not brought again; only a process
 * that has no room, stops or fails asks for another try.
 */
export function scheduleCallHandlers({
  isSigned,
  takeSlotCall,
  noteGivenUp,
  isStopping,
  log,
}: Deps): HttpHandler[] {
  return [
    signedCallHandler(publishPath, isSigned, publish, log),
    signedCallHandler(
      failurePath,
      isSigned,
      async ({ body }) => {
        await noteGivenUp(body);
        return { status: 200, body: { status: 'ok' } };
      },
      log,
    ),
  ];

  async function publish({ body, waitingSince }: SignedCall): Promise<SignedAnswer> {
    if (isStopping()) return laterAgain(SHUTTING_DOWN_SECONDS, 'shutting_down');
    try {
      const report = await takeSlotCall(body, waitingSince);
      if (report === 'nonsense') return neverAgain('bad_payload');
      const reason = 'reason' in report ? report.reason : report.kind;
      return { status: 200, body: { status: report.status, reason } };
    } catch (error) {
      if (isStopping()) return laterAgain(SHUTTING_DOWN_SECONDS, 'shutting_down');
      if (error instanceof NoRoom) return laterAgain(NO_ROOM_SECONDS, 'no_slot');
      throw error;
    }
  }
}
