import { expect, it } from 'vitest';
import { watchResumptions } from './resumptions.ts';

const held = (epoch: number, expiresAt: number) => [{ issueId: 'a', epoch, expiresAt }];

it('counts from the last renewal of a lease that expired to the next claim', () => {
  const { see, stoodStillMs } = watchResumptions();
  see(held(1, 20_000), 6_000);
  see(held(1, 25_000), 10_100);
  see(held(2, 41_000), 26_000);
  expect(stoodStillMs).toEqual([16_000]);
});

it('does not count a lease that was released and claimed again', () => {
  const { see, stoodStillMs } = watchResumptions();
  see(held(1, 20_000), 6_000);
  see([{ issueId: 'a', epoch: 1, expiresAt: null }], 7_000);
  see(held(2, 45_000), 30_000);
  expect(stoodStillMs).toEqual([]);
});
