import { describe, expect, it } from 'vitest';
import { AppError } from '../error/app-error.ts';
import { type ErrorCode, errorCatalog } from '../error/error-catalog.ts';
import { MAX_STAGE_ATTEMPTS, retryDelayMs } from './retry-policy.ts';

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

  it('waits as long as the other side asked, also for no time at all, but tries no more often for that', () => {
    expect(retryDelayMs(new AppError('rate_limited', { retryAfterMs: 45_000 }), 1)).toBe(45_000);
    expect(retryDelayMs(new AppError('rate_limited', { retryAfterMs: 0 }), 2)).toBe(0);
    expect(retryDelayMs(new AppError('rate_limited', { retryAfterMs: 10 }), MAX_STAGE_ATTEMPTS)).toBeNull();
    expect(retryDelayMs(new AppError('tests_red', { retryAfterMs: 10 }), 1)).toBeNull();
  });
});
