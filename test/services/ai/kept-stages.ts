import type { Json } from '../../../src/engine/json.ts';
import type { RunStage } from '../../../src/engine/operations.ts';

/** Stages of one operation, kept as the operations table keeps them: as JSON, and only when they succeed. */
export function keptStages(): { run: RunStage; names: () => string[] } {
  const results = new Map<string, string>();
  const run: RunStage = async <Result extends Json>(name: string, work: () => Promise<Result>) => {
    if (!results.has(name)) results.set(name, JSON.stringify(await work()));
    return JSON.parse(results.get(name)!) as Result;
  };
  return { run, names: () => [...results.keys()] };
}
