import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createActor, toPromise } from 'xstate';
import { registry } from '../../machines/registry.ts';
import { fillPorts, type Service } from '../../src/compose/fill-ports.ts';
import { workBounds } from '../../src/compose/work-bounds.ts';
import { WorkTookTooLong } from '../../src/errors.ts';

const portNames = [
  ...new Set(Object.values(registry).flatMap(({ machine }) => Object.keys(machine.implementations.actors))),
];

const served = (service: Service, options: Parameters<typeof fillPorts>[1] = {}) => {
  const services = Object.fromEntries(portNames.map((name) => [name, service]));
  return toPromise(createActor(fillPorts(services, options).actors.saveProject!, { input: {} }).start());
};

const soon = { bounds: { saveProject: 20 }, graceMs: 20 };

describe('work behind a port', () => {
  it('that hangs and does not listen ends as a failure when its time is over', async () => {
    await expect(served(() => new Promise(() => {}), soon)).rejects.toThrow(WorkTookTooLong);
  });

  it('is told to stop, and why, before it is left alone', async () => {
    const told: unknown[] = [];
    const listening: Service = (_, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          told.push(signal.reason);
          reject(new Error('stopped in time'));
        });
      });
    await expect(served(listening, { ...soon, graceMs: 60_000 })).rejects.toThrow('stopped in time');
    expect(told).toEqual([expect.any(WorkTookTooLong)]);
  });

  it('that is quick brings its result, and is not told anything', async () => {
    let isTold = false;
    const quick: Service = async (_, signal) => {
      signal.addEventListener('abort', () => {
        isTold = true;
      });
      return 5;
    };
    expect(await served(quick, soon)).toBe(5);
    await delay(50);
    expect(isTold).toBe(false);
  });

  it('is bounded by its own name or by the usual bound: no bound names a port that is not there', () => {
    expect(Object.keys(workBounds).filter((name) => !portNames.includes(name))).toEqual([]);
  });
});
