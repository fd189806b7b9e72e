import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createActor, setup, toPromise } from 'xstate';
import { port } from '../../machines/ports.ts';
import { registry } from '../../machines/registry.ts';
import { fillPorts } from '../../src/compose/fill-ports.ts';
import { workBounds } from '../../src/compose/work-bounds.ts';
import type { PortsOf, Service } from '../../src/engine/ports.ts';
import { WorkTookTooLong } from '../../src/errors.ts';

type Ports = PortsOf<typeof registry>;

const portNames = [
  ...new Set(Object.values(registry).flatMap(({ machine }) => Object.keys(machine.implementations.actors))),
];

const served = (service: Service, options: Parameters<typeof fillPorts>[2] = {}) => {
  const services = Object.fromEntries(portNames.map((name) => [name, service])) as unknown as Ports;
  return toPromise(
    createActor(fillPorts(registry, services, options).actors.saveProject!, { input: {} }).start(),
  );
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

describe('the type of a port follows from the machine that asks for it', () => {
  const right: Ports['saveCategory'] = async ({ projectId }) => ({ categoryId: projectId });

  it('so that a service with another input, another output or without a name does not compile', () => {
    // @ts-expect-error it asks for what the machine does not send
    const otherInput: Ports['saveCategory'] = async ({ colour }: { colour: string }) => ({
      categoryId: colour.length,
    });
    // @ts-expect-error it answers with what the machine does not read
    const otherOutput: Ports['saveCategory'] = async ({ name }) => ({ id: name.length });
    // @ts-expect-error the other ports are empty
    const some: Ports = { saveCategory: right };
    expect([otherInput, otherOutput, some]).toHaveLength(3);
  });

  it('and one name is one port: a second declaration fails the start, and what only one of the two means the compiler', () => {
    const asking = <Output>(name: string) =>
      setup({ actors: { shared: port<Output, { key: string }>(name) } }).createMachine({ id: name });
    const clashing = {
      One: { machine: asking<{ a: number }>('one'), version: 1 },
      Two: { machine: asking<{ b: string }>('two'), version: 1 },
    };
    // @ts-expect-error what One reads is not what Two reads
    const forOne: PortsOf<typeof clashing> = { shared: async () => ({ a: 1 }) };
    expect(() => fillPorts(clashing, forOne)).toThrow('share the declaration');
  });
});
