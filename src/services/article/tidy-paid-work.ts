import type { TelegraphPage } from '../../clients/telegraph.ts';
import type { RunStage } from '../../engine/operations.ts';
import { type PaidWork, PaidWorkFailed } from '../money/paid-work.ts';
import type { StoredPicture } from '../pictures/draw-pictures.ts';

type Left = { pictures: string[]; telegraphPath: string | null };

/**
 * Paid work on an article that leaves nothing behind when it comes to nothing (E35). Cleared up only when the failure is
 * on record: until then another process may resume the work and need the pictures.
 */
export const makeTidyPaidWork =
  (paidWork: PaidWork, discard: (left: Left) => Promise<void>): PaidWork =>
  async (call, purse, work) => {
    const left: Left = { pictures: [], telegraphPath: null };
    try {
      return await paidWork(call, purse, (stage, signal) => work(noting(stage, left), signal));
    } catch (error) {
      if (error instanceof PaidWorkFailed) await discard(left);
      throw error;
    }
  };

const noting =
  (stage: RunStage, left: Left): RunStage =>
  async (name, run) => {
    const result = await stage(name, run);
    if (result === null) return result;
    if (name.startsWith('picture:')) left.pictures.push((result as StoredPicture).storage_path);
    if (name === 'telegraph') left.telegraphPath = (result as TelegraphPage).path;
    return result;
  };
