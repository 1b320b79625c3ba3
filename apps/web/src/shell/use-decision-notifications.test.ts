import { expect, it } from 'vitest';
import { newlyWanted, waitOf } from './use-decision-notifications.ts';

const first = { id: 'a', since: '2026-11-01T10:00:00.000Z' };
const second = { id: 'b', since: '2026-11-01T10:01:00.000Z' };

it('finds nothing new in the first list', () => {
  expect(newlyWanted(null, [first, second])).toEqual([]);
});

it('finds an issue that began to wait, and one that waits again', () => {
  const before = new Set([waitOf(first)]);
  const again = { ...first, since: second.since };
  expect(newlyWanted(before, [first, second])).toEqual([second]);
  expect(newlyWanted(before, [again])).toEqual([again]);
});
