import type { Json } from '../../engine/json.ts';

/** A signed call to one of our own endpoints, made at every moment that its cron line names. */
export type RecurringCall = {
  /** Ours: setting the same id again replaces the call. Letters, digits, `-`, `.` and `_`. */
  id: string;
  path: string;
  /** Five fields; see `cronOf`. */
  cron: string;
  timeZone: string;
  body: Json;
  /** Called when a delivery was given up. */
  failurePath?: string;
};

/** The same call, made once. */
export type LaterCall = {
  /** Asked for twice, it is made once. */
  id: string;
  path: string;
  body: Json;
  delaySeconds: number;
};

/**
 * Whatever brings us back to our own endpoints at the right time. Calls come at least once: an endpoint recognises a
 * repeat by what it is about, not by the id of the delivery.
 */
export type Schedules = {
  set(call: RecurringCall): Promise<void>;
  /** Removing a missing call is not an error. */
  remove(id: string): Promise<void>;
  later(call: LaterCall): Promise<void>;
  ids(): Promise<string[]>;
  ping(): Promise<unknown>;
};
