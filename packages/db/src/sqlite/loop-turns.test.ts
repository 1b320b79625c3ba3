import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createLoopTurns } from './open-sqlite-database.ts';

function turnsAt() {
  const time = { ms: 0 };
  return { time, turn: createLoopTurns(() => time.ms) };
}

it('are not waited for by calls that follow each other for a few milliseconds', () => {
  const { time, turn } = turnsAt();
  for (time.ms = 0; time.ms < 5; time.ms += 1) expect(turn()).toBeNull();
});

it('are waited for by a call that comes 5 ms after the first one, and by those beside it', async () => {
  const { time, turn } = turnsAt();
  void turn();
  time.ms = 5;
  let turned = false;
  setImmediate(() => {
    turned = true;
  });
  const [one, other] = [turn(), turn()];
  expect([one, other]).not.toContain(null);
  await one;
  expect(turned).toBe(true);
  await other;
  expect(turn()).toBeNull();
});

it('begin a new count of milliseconds when the loop turns by itself', async () => {
  const { time, turn } = turnsAt();
  void turn();
  time.ms = 4;
  await nextTurn();
  time.ms = 8;
  expect(turn()).toBeNull();
  time.ms = 12;
  expect(turn()).toBeNull();
  time.ms = 13;
  expect(turn()).not.toBeNull();
});

it('keep calls in the order in which they were made', async () => {
  const { time, turn } = turnsAt();
  void turn();
  time.ms = 5;
  const order: number[] = [];
  const call = async (number: number) => {
    await turn();
    order.push(number);
  };
  await Promise.all([call(1), call(2), call(3)]);
  expect(order).toEqual([1, 2, 3]);
});
