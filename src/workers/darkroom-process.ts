/** The process in which pictures are developed. It ends with its parent. */

import { type Developed, develop, type Treatment } from '../services/pictures/develop.ts';
import { stepBack } from '../services/pictures/step-back.ts';

export type Order = { id: number; treatment: Treatment; bytes: Uint8Array };
export type Answer = { id: number } & ({ done: Developed } | { error: Error });

stepBack();
process.on('message', async ({ id, treatment, bytes }: Order) => {
  tell(
    await develop(treatment, bytes).then(
      (done) => ({ id, done }),
      (error: Error) => ({ id, error }),
    ),
  );
});
process.once('disconnect', () => process.exit());
// Said to the whole group of processes, it is for the bot to decide: what is being developed may still be wanted.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

function tell(answer: Answer): void {
  if (process.connected) process.send?.(answer);
}
