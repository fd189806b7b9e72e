import { z } from 'zod';
import type { Link } from '../screens/kit/link.ts';
import { inputSchema } from './input.ts';
import { NewerState } from './not-applied.ts';

/** What is stored for one person: the flow they are in, and what they should be looking at. */
export type Session = z.infer<typeof sessionSchema>;
export type FlowRun = z.infer<typeof flowRunSchema>;

const linkSchema = z.object({
  pattern: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});
const richTextSchema = z.array(z.union([z.object({ markup: z.string() }), z.object({ value: z.string() })]));

const flowRunSchema = z.object({
  flow: z.string(),
  version: z.number(),
  /** Of the process that stored it: tells a flow that is not known yet from one that is no more. */
  release: z.number().default(0),
  /** Unique for this run; every operation key begins with it. */
  run: z.string(),
  /** XState's own, and judged by it when the run is restored: looked into there, not copied here. */
  snapshot: z.custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null),
});

// Raise it when a process of the release before would lose or misread what is stored.
const SHAPE = 4;

const sessionSchema = z.object({
  shape: z.number().default(SHAPE),
  flow: flowRunSchema.nullable(),
  /** Flows that were left while they were working: they finish by themselves. */
  background: z.array(flowRunSchema),
  /** Runs that were left while they waited for the person, by the slot that their flow names; `at` is Unix ms. */
  parked: z.array(z.object({ slot: z.string(), at: z.number(), run: flowRunSchema })).default([]),
  /** The page of the menu that is shown when no flow runs. */
  page: linkSchema,
  /**
   * A change that was decided and may not be done yet: any process that finds it does it, under its key. `input` is
   * what the person sent to a page that asked for it; null for the press of a button.
   */
  doing: z
    .object({ link: linkSchema, key: z.string(), input: inputSchema.nullable().default(null) })
    .nullable()
    .default(null),
  /** A line above the screen, gone with the next event. */
  notice: richTextSchema.readonly().nullable(),
  lastActivityAt: z.number(),
  /** When the person was last noted in the database: not every press needs a write there. */
  notedAt: z.number(),
  isAdmin: z.boolean(),
  /** The old message for whose press the present question was shown again: a second press brings no second one. */
  repeatedFor: z
    .union([z.string(), z.number().transform(String)])
    .nullable()
    .default(null),
  /** What became of a text that the messenger may have cut in two: see `long-text.ts`. */
  longText: z.enum(['taken', 'refused']).nullable().default(null),
  /** The last letters from the inbox that were applied: one whose process died before settling it is not applied again. */
  letters: z.array(z.string()).default([]),
  /** Deadlines of the flow that runs, as Unix ms, by run and name. */
  wakes: z.record(z.string(), z.number()).default({}),
});

export const freshSession = (now: number, page: Link): Session => ({
  shape: SHAPE,
  flow: null,
  background: [],
  parked: [],
  doing: null,
  page,
  notice: null,
  lastActivityAt: now,
  notedAt: 0,
  isAdmin: false,
  repeatedFor: null,
  longText: null,
  letters: [],
  wakes: {},
});

/**
 * `null` for a text that is no session: damaged, or of a shape that is no longer known. Fails with `NewerState` for one
 * of a shape that is not known yet.
 */
export function parseSession(stored: string): Session | null {
  const session = fromJson(stored);
  const shape = shapeIn(session);
  if (shape > SHAPE) throw new NewerState(`the session has shape ${shape}, this process knows ${SHAPE}`);
  const parsed = sessionSchema.safeParse(session).data;
  return parsed ? { ...parsed, shape: SHAPE } : null;
}

const shapeIn = (session: unknown): number =>
  typeof session === 'object' && session !== null && 'shape' in session && typeof session.shape === 'number'
    ? session.shape
    : SHAPE;

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no session either
  }
}
