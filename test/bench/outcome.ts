export type Outcome = {
  case: string;
  ours: number;
  /** Whom we are compared with; null where only a target is set. */
  peer: number | null;
  ratio: number | null;
  unit: string;
  notes: string;
};

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export const spread = (values: readonly number[]): string =>
  `${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))}`;
