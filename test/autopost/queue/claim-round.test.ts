import { describe, expect, it } from 'vitest';
import { makeTurns } from '../../../src/autopost/queue/channel-turns.ts';
import { makeClaimRound } from '../../../src/autopost/queue/claim-round.ts';
import { makeHand } from '../../../src/autopost/queue/hand.ts';
import { quiet } from '../ingest/an-entrance.ts';

const workspaces = ['a', 'b', 'c', 'd', 'e', 'f'];

function aRound(failure: Error) {
  const asked: string[] = [];
  const claims = {
    nextWorkspaces: async () => workspaces,
    claim: async (workspaceId: string) => {
      asked.push(workspaceId);
      if (workspaceId === 'a') throw failure;
      return [];
    },
  };
  const parts = { hand: makeHand({ earlyMs: 0 }), turns: makeTurns({ mostRestMs: 1_000 }) };
  return { asked, round: makeClaimRound({ claims, ...parts, name: 'test', runId: 'run', log: quiet }) };
}

describe('a round over the workspaces', () => {
  it('goes on behind one whose claim the database refuses', async () => {
    const refused = Object.assign(new Error('division by zero'), { name: 'PostgresError', code: '22012' });
    const { asked, round } = aRound(refused);
    expect(await round(100)).toBe(0);
    expect(asked).toEqual(workspaces);
  });

  it('stops when the database is away', async () => {
    const { round } = aRound(new Error('connect ECONNREFUSED'));
    await expect(round(100)).rejects.toThrow('ECONNREFUSED');
  });
});
