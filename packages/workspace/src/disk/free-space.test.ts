import { isBelowReserve } from '@sluice/core/workspace';
import { expect, test } from 'vitest';
import { freeSpace, isSpaceLow } from './free-space.ts';

test('reads the file system that holds a path', async () => {
  const here = await freeSpace('/tmp');
  expect(here.free).toBeGreaterThan(0);
  expect(here.free).toBeLessThanOrEqual(here.total);
  expect(await isSpaceLow('/tmp')).toBe(isBelowReserve(here));
  await expect(isSpaceLow('/absent/path')).rejects.toMatchObject({ code: 'ENOENT' });
});
