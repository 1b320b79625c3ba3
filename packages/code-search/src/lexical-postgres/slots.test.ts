import { describe, expect, it } from 'vitest';
import { createSlots } from './slots.ts';

const signal = new AbortController().signal;

describe('slots', () => {
  it('let as many run at once as there are, and the others in their turn', async () => {
    const slots = createSlots(2);
    let inside = 0;
    let most = 0;
    const order: number[] = [];
    const work = (n: number) => async () => {
      inside += 1;
      most = Math.max(most, inside);
      order.push(n);
      await new Promise(setImmediate);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 9 }, (_, n) => slots.take(work(n), signal)));
    expect(most).toBe(2);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('go on to the next when one leaves the line or fails', async () => {
    const slots = createSlots(1);
    const first = Promise.withResolvers<void>();
    const running = slots.take(() => first.promise, signal);
    const cancel = new AbortController();
    const left = slots.take(async () => 'never', cancel.signal);
    const last = slots.take(async () => 'last', signal);
    cancel.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    first.reject(new Error('failed'));
    await expect(running).rejects.toThrow('failed');
    expect(await last).toBe('last');
  });
});
