import type { ChartEdge } from './read-chart.ts';

export type LabelPart = { kind: 'event' | 'guard' | 'action'; text: string };

/** `text.received`, `[isName]`, `/ rememberName`: the parts of a transition, in UML's notation. */
export function edgeLabel({ event, trigger, guard, otherwise, actions }: ChartEdge): LabelPart[] {
  const condition = otherwise ? 'else' : guard;
  const parts: (LabelPart | false)[] = [
    // That nothing triggers it is said by the condition standing alone.
    (event !== '' || condition === null) && { kind: 'event', text: trigger },
    condition !== null && { kind: 'guard', text: `[${condition}]` },
    actions.length > 0 && { kind: 'action', text: `/ ${actions.join(', ')}` },
  ];
  return parts.filter((part) => part !== false);
}
