/**
 * For so long a process that gives no sign of life keeps what it works on: a person's run and the keyed operation
 * behind it. One number for both: the later of two decides when the work goes on.
 *
 * Short, because a person waits behind a killed process for it. Long enough for a stalled event loop or database: a
 * lease lost under a living owner costs a stage done twice, never an effect.
 */
export const LEASE_MS = 9_000;

/** Two signs of life may get lost. */
export const HEARTBEAT_MS = LEASE_MS / 3;
