import { expect, it } from 'vitest';
import { attemptOf, newIdempotencyKey } from './idempotency-key.ts';

it('repeats the key of the same request, and gives another request another one', () => {
  const first = attemptOf(null, { title: 'a' });
  expect(attemptOf(first, { title: 'a' })).toBe(first);
  expect(attemptOf(first, { title: 'b' }).key).not.toBe(first.key);
});

it('makes keys of 32 hexadecimal digits', () => {
  expect(newIdempotencyKey()).toMatch(/^[0-9a-f]{32}$/);
});
