/** The part of a host's context that names its work. */
export type Keyed = {
  run: string;
  /** Counts up in a flow that may make more than one of a kind: each of them has a key of its own. */
  round?: number;
};

export const runKey = ({ run, round }: Keyed, work: string): string =>
  round ? `${run}:${work}:${round}` : `${run}:${work}`;
