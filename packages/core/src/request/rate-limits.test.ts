import { expect, it } from 'vitest';
import { describeLimit, loginDelayMs, rateLimits } from './rate-limits.ts';

it('lets a few failures pass, slows the next ones more and more, and never without end', () => {
  expect([0, 4, 5, 6, 11, 12, 13, 1_000_000].map(loginDelayMs)).toEqual([0, 0, 500, 1_000, 3_500, 4_000, 4_000, 4_000]);
});

it('says what is limited, for whom and for how long', () => {
  expect(describeLimit(rateLimits.login)).toBe('At most 5 logins a minute from one address are allowed.');
  expect(describeLimit(rateLimits.create_repo)).toBe('At most 5 new repositories an hour of one user are allowed.');
  const odd = { ...rateLimits.login, points: 1, windowSeconds: 5_400, counts: 'failures' } as const;
  expect(describeLimit(odd)).toBe('At most 1 failed login in 90 minutes from one address is allowed.');
});
