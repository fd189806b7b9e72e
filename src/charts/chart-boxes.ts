import { edgeLabel, type LabelPart } from './edge-label.ts';
import type { Chart, ChartEdge, ChartState } from './read-chart.ts';
import { textWidth } from './text-width.ts';

/** Sizes in pixels, shared by layout and drawing. */
export const NAME_SIZE = 13;
export const NAME_HEIGHT = 34;
export const NOTE_SIZE = 11;
export const NOTE_LINE = 16;
export const NOTES_PADDING = 8;
export const LABEL_SIZE = 11;
export const LABEL_LINE = 14;

export type Size = { width: number; height: number };
export type Note = { kind: 'actor' | 'action' | 'inside'; parts: readonly NotePart[] };
type NotePart = LabelPart | { kind: 'plain'; text: string };

/** Transitions that leave the state as it is stand inside its box, as UML writes them: a loop says less. */
export const staysInside = ({ source, target }: ChartEdge): boolean => source !== null && target === null;

export function stateBox(
  { name, invokes, entry, exit }: ChartState,
  { edges }: Chart,
): Size & { notes: Note[] } {
  const plain = (kind: Note['kind'], text: string): Note => ({ kind, parts: [{ kind: 'plain', text }] });
  const notes = [
    ...invokes.map(({ src }) => plain('actor', src)),
    ...entry.map((action) => plain('action', `entry / ${action}`)),
    ...edges
      .filter((edge) => edge.source === name && staysInside(edge))
      .map((edge): Note => ({ kind: 'inside', parts: edgeLabel(edge) })),
    ...exit.map((action) => plain('action', `exit / ${action}`)),
  ];
  const widths = notes.map(({ parts }) => textWidth(noteText(parts), NOTE_SIZE));
  return {
    // A name is bold, and bold is a little wider.
    width: Math.max(80, ...[textWidth(name, NAME_SIZE) * 1.06, ...widths].map((width) => width + 24)),
    height: NAME_HEIGHT + (notes.length > 0 ? notes.length * NOTE_LINE + NOTES_PADDING : 0),
    notes,
  };
}

/** One part to a line: three short lines are read faster than a long one, and keep the chart narrow. */
export function labelBox(edge: ChartEdge): Size & { parts: LabelPart[] } {
  const parts = edgeLabel(edge);
  return {
    width: Math.max(...parts.map(({ text }) => textWidth(text, LABEL_SIZE))) + 8,
    height: parts.length * LABEL_LINE + 4,
    parts,
  };
}

const noteText = (parts: readonly NotePart[]): string => parts.map(({ text }) => text).join(' ');
