import { describe, expect, it } from 'vitest';
import {
  type Deadline,
  deadlineLetters,
  deadlinesIn,
  isStillWanted,
  withDeadlines,
} from '../../src/engine/deadlines.ts';
import { type FlowRun, freshSession, type Session } from '../../src/engine/session.ts';
import { to } from '../../src/screens/kit/link.ts';

const run: FlowRun = { flow: 'ProjectCreate', version: 1, release: 1, run: 'r1', snapshot: {} };
const session: Session = { ...freshSession(0, to('nav:dashboard')), flow: run };
const asking = (...deadlines: Deadline[]) => ({ deadlinesOf: () => deadlines });
const reminder = { name: 'reminder', seconds: 600 };

describe('a state', () => {
  it('asks to be woken by a tag, or by a time in the context', () => {
    expect(deadlinesIn(['busy', 'wake:reminder:600'], { wakeAt: { expiry: 5_000 } })).toEqual([
      reminder,
      { name: 'expiry', at: 5_000 },
    ]);
    expect(deadlinesIn(['wakeful', 'wake:Bad Name:5'], { wakeAt: null })).toEqual([]);
  });
});

describe('a deadline', () => {
  it('counts from the moment it was first asked for, through all states that ask for it', () => {
    const first = withDeadlines(session, asking(reminder), 1_000);
    const later = withDeadlines(first, asking(reminder), 400_000);
    expect(later.wakes).toEqual({ 'r1:reminder': 601_000 });
  });

  it('is gone when no state asks for it, and begins anew when one does', () => {
    const first = withDeadlines(session, asking(reminder), 1_000);
    const left = withDeadlines(first, asking(), 2_000);
    expect(left.wakes).toEqual({});
    expect(withDeadlines(left, asking(reminder), 3_000).wakes).toEqual({ 'r1:reminder': 603_000 });
  });

  it('at a fixed time moves with it, and the old one has nothing to say', () => {
    const first = withDeadlines(session, asking({ name: 'expiry', at: 5_000 }), 0);
    const old = deadlineLetters(7, first)[0]!.letter;
    const moved = withDeadlines(first, asking({ name: 'expiry', at: 9_000 }), 0);
    const { letter, dueAt } = deadlineLetters(7, moved)[0]!;
    expect(dueAt).toBe(9_000);
    expect(letter).toMatchObject({ event: { type: 'deadline.expiry' }, run: { run: 'r1' } });
    expect([isStillWanted(old, moved), isStillWanted(letter, moved)]).toEqual([false, true]);
  });

  it('costs a session without one nothing', () => {
    expect(withDeadlines(session, asking(), 0)).toBe(session);
  });
});
