import { afterEach, expect, it, vi } from 'vitest';
import { memoryContext } from '../../test/loop/memory-context.ts';
import { liveText } from './agent-turn.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('gathers words for a moment, sends them in order, and the rest at the end', () => {
  vi.useFakeTimers();
  const { context, live } = memoryContext();
  const text = liveText(context, 'coder');
  text.add('a');
  text.add('b');
  expect(live).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(live).toEqual(['ab']);
  text.add('c\u0000');
  text.end();
  expect(live).toEqual(['ab', 'c']);
  vi.advanceTimersByTime(1_000);
  text.end();
  expect(live).toEqual(['ab', 'c']);
});
