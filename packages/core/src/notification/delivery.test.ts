import { describe, expect, it } from 'vitest';
import { type AttemptResult, endOfAttempt } from './delivery.ts';

const now = new Date('2026-11-20T09:15:00.000Z');
const HOUR_MS = 3_600_000;
const refused = (overrides: Partial<Extract<AttemptResult, { kind: 'refused' }>> = {}): AttemptResult => ({
  kind: 'refused',
  status: 500,
  latencyMs: 12.4,
  reason: 'The receiver answered 500.',
  retry: 'later',
  retryAfterMs: null,
  ...overrides,
});
const ended = (result: AttemptResult, attempts = 1, { failingSince = null as Date | null, random = 0 } = {}) =>
  endOfAttempt({ attempts, failingSince }, result, { now, random });

describe('the end of an attempt', () => {
  it('is the delivery when the receiver accepted it', () => {
    expect(ended({ kind: 'accepted', status: 204, latencyMs: 12.4 })).toEqual({
      status: 'delivered',
      lastStatus: 204,
      lastError: null,
      latencyMs: 12,
      retryInMs: 0,
      disable: null,
    });
  });

  it('is followed by nine more over three days, and then it is given up', () => {
    const waits = Array.from({ length: 9 }, (_, index) => ended(refused(), index + 1).retryInMs / 1_000);
    expect(waits).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    expect(ended(refused(), 10)).toMatchObject({ status: 'given_up', lastError: 'The receiver answered 500.' });
    expect(ended(refused(), 11)).toMatchObject({ status: 'given_up', disable: null });
  });

  it('spreads the next attempts, and waits for as long as the receiver asks, up to a day', () => {
    expect(ended(refused(), 1, { random: 1 }).retryInMs).toBe(6_000);
    expect(ended(refused({ retryAfterMs: 90_000 })).retryInMs).toBe(90_000);
    expect(ended(refused({ retryAfterMs: 1_000 })).retryInMs).toBe(5_000);
    expect(ended(refused({ retryAfterMs: 1e12 })).retryInMs).toBe(24 * HOUR_MS);
  });

  it('gives up at once what no attempt can deliver, and disables a receiver that is gone', () => {
    expect(ended(refused({ retry: 'never' }))).toMatchObject({ status: 'given_up', disable: null });
    expect(ended(refused({ retry: 'gone', reason: 'It wants nothing.' }))).toMatchObject({
      status: 'given_up',
      disable: 'It wants nothing.',
    });
  });

  it('disables a target that has failed for a week, with the last reason', () => {
    const since = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);
    expect(ended(refused(), 2, { failingSince: since(7 * 24 - 1) })).toMatchObject({
      status: 'pending',
      disable: null,
    });
    expect(ended(refused(), 2, { failingSince: since(7 * 24) })).toMatchObject({
      status: 'given_up',
      disable: 'Every delivery failed for a week. The last reason: The receiver answered 500.',
    });
    // Not for a fault of ours, after however long.
    expect(ended(refused({ latencyMs: null }), 2, { failingSince: since(8 * 24) })).toMatchObject({
      status: 'pending',
      latencyMs: null,
      disable: null,
    });
  });
});
