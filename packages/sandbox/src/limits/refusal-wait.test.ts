import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchRefusalWait } from './refusal-wait.ts';

const GRACE_MS = 1_000;
const NO_PROCESS = 2 ** 30; // which uses no processor

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** @param refusals how many requests had been refused, by the time in milliseconds at which it looks */
async function exceeded(refusals: Readonly<Record<number, number>>): Promise<boolean[]> {
  let count = 0;
  const wait = watchRefusalWait(() => count, GRACE_MS);
  const looks: boolean[] = [];
  let now = 0;
  for (const [at, refused] of Object.entries(refusals)) {
    vi.advanceTimersByTime(Number(at) - now);
    now = Number(at);
    count = refused;
    looks.push(await wait.exceeded(NO_PROCESS));
  }
  return looks;
}

it('ends a command that has waited, asked again and waited for the whole grace', async () => {
  expect(await exceeded({ 0: 1, 500: 2, 1499: 2, 1500: 2 })).toEqual([false, false, false, true]);
});

it.each([
  ['asked once', { 0: 1, 9000: 1 }],
  ['asked several times at once', { 0: 1, 100: 2, 200: 3, 9000: 3 }],
  ['has a connection', { 0: 1, 600: 2, 700: 0, 9000: 0 }],
  ['asked once more after it had reached a host', { 0: 1, 600: 2, 700: 0, 800: 1, 9000: 1 }],
])('ends no command that %s, however long it does nothing', async (_, refusals) => {
  expect(await exceeded(refusals)).not.toContain(true);
});
