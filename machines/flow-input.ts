/** What every flow is started with. */
export type FlowInput = {
  /** Unique for this run of the flow; every operation key begins with it. */
  run: string;
  userId: number;
  /** The screen that opened the flow, to which `/cancel` returns. Opaque here. */
  origin: string;
};

export type Cancelled = { type: 'cancelled' };
export type TextReceived = { type: 'text.received'; text: string };
/** What long work tells of itself. */
export type WorkEvent = { type: 'progress.made'; stage: string } | { type: 'work.delayed' };
/** A payment came: sent to whatever state asks for tokens. `balance` is what there is now. */
export type TokensCredited = { type: 'tokens.credited'; balance: number };
