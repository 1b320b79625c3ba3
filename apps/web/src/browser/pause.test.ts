import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { pause } from './pause.ts';

const LONG_MS = 60_000;

it('leaves no listener at the signal', async () => {
  const { signal } = new AbortController();
  await pause(0, signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('ends when it is aborted, and at once when it has been', async () => {
  const end = new AbortController();
  const waiting = pause(LONG_MS, end.signal);
  end.abort();
  await waiting;
  await pause(LONG_MS, end.signal);
});
