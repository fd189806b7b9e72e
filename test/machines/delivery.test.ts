import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import { type DeliveryInput, deliveryMachine } from '../../machines/delivery.ts';

const aDelivery = (input: Partial<DeliveryInput> = {}) =>
  createActor(deliveryMachine, {
    input: { isRepeat: false, isSendable: true, attempts: 2, allowsDuplicates: false, ...input },
  }).start();
type Life = ReturnType<typeof aDelivery>;

function attempt(life: Life) {
  life.send({ type: 'claim.made' });
  life.send({ type: 'attempt.recorded' });
  return life;
}
const refused = (life: Life, permanent = false) =>
  life.send({ type: 'send.refused', permanent, spared: false });
const where = (life: Life) => life.getSnapshot().value;

describe('the life of a delivery', () => {
  it('ends before it begins for a repeat and for what cannot be sent', () => {
    expect(where(aDelivery({ isRepeat: true }))).toBe('deduped');
    expect(where(aDelivery({ isSendable: false }))).toBe('failed_permanent');
    expect(where(aDelivery())).toBe('queued');
  });

  it('is tried again until its attempts are used up', () => {
    const life = attempt(aDelivery());
    refused(life);
    expect(where(life)).toBe('retry');
    refused(attempt(life));
    expect(where(life)).toBe('dead');
  });

  it('uses up no attempt while the platform is down', () => {
    const life = aDelivery();
    for (let i = 0; i < 9; i++) attempt(life).send({ type: 'send.refused', permanent: false, spared: true });
    expect(where(life)).toBe('retry');
    refused(attempt(life));
    expect(where(life)).toBe('retry');
  });

  it('is tried again when its worker died before the call, and given up when it waited too long', () => {
    const life = attempt(aDelivery());
    life.send({ type: 'call.omitted' });
    expect(where(life)).toBe('retry');
    life.send({ type: 'delivery.expired' });
    expect(where(life)).toBe('dead');
  });

  it('gets new attempts when a person requeues it', () => {
    const life = aDelivery();
    refused(attempt(life));
    refused(attempt(life));
    life.send({ type: 'delivery.requeued' });
    refused(attempt(life));
    expect(where(life)).toBe('retry');
  });

  it('counts attempts and not claims', () => {
    const life = aDelivery();
    for (let i = 0; i < 5; i++) {
      life.send({ type: 'claim.made' });
      life.send({ type: 'claim.returned' });
    }
    expect(life.getSnapshot().context.attempt).toBe(0);
  });

  it('is unknown when the answer is lost, and only a person or the late answer moves it', () => {
    const life = attempt(aDelivery());
    life.send({ type: 'result.lost' });
    life.send({ type: 'claim.made' });
    expect(where(life)).toBe('unknown');
    life.send({ type: 'send.confirmed' });
    expect(where(life)).toBe('sent');
  });

  it('is tried again where a channel would rather have it twice, but not for ever', () => {
    const life = attempt(aDelivery({ allowsDuplicates: true }));
    life.send({ type: 'result.lost' });
    expect(where(life)).toBe('retry');
    attempt(life).send({ type: 'result.lost' });
    expect(where(life)).toBe('dead');
  });

  it('is over once it is sent', () => {
    const life = attempt(aDelivery());
    life.send({ type: 'send.confirmed' });
    expect(life.getSnapshot()).toMatchObject({ value: 'sent', status: 'done' });
  });
});
