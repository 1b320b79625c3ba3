import { AppError, type ErrorCode, errorCatalog } from '@sluice/core/error';
import { describe, expect, it } from 'vitest';
import { MAX_STAGE_ATTEMPTS, MAX_STAGE_ATTEMPTS_AWAY, retryDelayMs } from './retry-policy.ts';

const codes = Object.keys(errorCatalog) as ErrorCode[];

describe('the retry policy', () => {
  it.each(codes)('goes by the catalogue alone for %s', (code) => {
    expect(retryDelayMs(new AppError(code), 1)).toBe(errorCatalog[code].retry ? 500 : null);
  });

  it('doubles the pause and gives up after the last attempt', () => {
    const attempts = Array.from({ length: MAX_STAGE_ATTEMPTS + 2 }, (_, at) => at + 1);
    const error = new AppError('git_failed');
    expect(attempts.map((attempt) => retryDelayMs(error, attempt))).toEqual([500, 1_000, 2_000, null, null, null]);
  });

  it('waits some two minutes for somebody else’s service to come back', () => {
    const error = new AppError('remote_unreachable');
    const pauses = Array.from({ length: MAX_STAGE_ATTEMPTS_AWAY }, (_, at) => retryDelayMs(error, at + 1));
    expect(pauses.at(-1)).toBeNull();
    const waited = pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0);
    expect(waited).toBeGreaterThan(90_000);
    expect(waited).toBeLessThan(150_000);
  });

  it('waits as long as the other side asked, also for no time at all, but tries no more often for that', () => {
    expect(retryDelayMs(new AppError('rate_limited', { retryAfterMs: 45_000 }), 1)).toBe(45_000);
    expect(retryDelayMs(new AppError('rate_limited', { retryAfterMs: 0 }), 2)).toBe(0);
    expect(retryDelayMs(new AppError('rate_limited', { retryAfterMs: 10 }), MAX_STAGE_ATTEMPTS_AWAY)).toBeNull();
    expect(retryDelayMs(new AppError('tests_red', { retryAfterMs: 10 }), 1)).toBeNull();
  });

  it('waits an hour for a quota, and not for days', () => {
    expect(retryDelayMs(new AppError('codehost_busy', { retryAfterMs: 3_600_000 }), 1)).toBe(3_600_000);
    expect(retryDelayMs(new AppError('codehost_busy', { retryAfterMs: 86_400_000 }), 1)).toBeNull();
  });
});
