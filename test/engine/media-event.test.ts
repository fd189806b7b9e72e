import { expect, it } from 'vitest';
import type { FlowEvent } from '../../src/engine/flows.ts';
import { wantedInstead } from '../../src/engine/media-event.ts';
import { notices } from '../../src/screens/kit/system.ts';

it.each([
  [['text.received'], notices.textWanted],
  [['text.received', 'file.received'], notices.textOrFileWanted],
  [['file.received'], notices.fileWanted],
  [['photo.received', 'file.received'], notices.photoWanted],
  [[], notices.buttonWanted],
])('asks for everything that the step takes: %j', (taken, wanted) => {
  expect(wantedInstead({ can: ({ type }: FlowEvent) => taken.includes(type) })).toBe(wanted);
});
