import { expect } from 'vitest';
import type { FlowId } from '../../machines/registry.ts';
import { patience } from '../support/patience.ts';
import type { ScriptedPerson } from '../support/person.ts';
import type { BusyGround, Hold } from './busy-ground.ts';

/** Who walks, and how much of theirs has arrived at the places they publish to. */
export type Walker = ScriptedPerson & { company?: string; arrived?: () => number };

/**
 * A way through a flow, in steps: after each, the walker looks at the screen to which it led. The first one is theirs
 * before the flow has begun.
 */
export type BusyWalk = {
  flow: FlowId;
  /** The busy states on the way: at each of them a process is taken away from somebody. */
  states: readonly string[];
  walk: (ground: BusyGround) => AsyncGenerator<Walker, void>;
};

/** A held person waits until everybody else is held as well, and for the other process after that. */
export const PATIENT = { timeoutMs: patience(150_000) };

/** States that share one piece of work, which begins in the first and ends in the last. */
export const partsOfOneWork: Readonly<Record<string, readonly Hold['when'][]>> = {
  'KeywordGeneration.fetching': ['asked'],
  'KeywordGeneration.clustering': ['within'],
  'KeywordGeneration.enriching': ['done'],
  'KeywordUpload.enriching': ['asked'],
  'KeywordUpload.clustering': ['done'],
};

export async function begins(anna: ScriptedPerson, goal: string): Promise<void> {
  anna.says('/start');
  await anna.sees('Главное меню');
  await anna.presses(goal);
}

/** A button of the next screen, where its words are those of the screen before. */
export async function isOffered(anna: ScriptedPerson, label: string): Promise<void> {
  await expect.poll(() => anna.labels(), { timeout: PATIENT.timeoutMs, interval: 50 }).toContain(label);
}
