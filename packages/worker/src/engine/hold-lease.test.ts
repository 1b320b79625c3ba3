import { systemTimers } from '@sluice/core/async';
import type { Lease } from '@sluice/core/issue';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openIssueExecution } from '../execution/issue-execution.ts';
import { holdLease } from './hold-lease.ts';

const LEASE_MS = 15_000;
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => void vi.useRealTimers());

/** An execution whose lease was claimed just now, on a store that answers as `renew` says. */
function held(renew: () => Promise<boolean>) {
  const lease = { issueId: 'issue', owner: 'owner', epoch: 1 } as unknown as Lease;
  const execution = openIssueExecution({} as never, { lease, issue: {} as never, attempt: null });
  const began = performance.now();
  const seen = { endedAt: null as number | null, renewals: 0 };
  execution.signal.addEventListener('abort', () => {
    seen.endedAt = performance.now() - began;
  });
  const runs = {
    renew: () => {
      seen.renewals += 1;
      return renew();
    },
  };
  const deps = { runs, timers: systemTimers, log: quiet };
  return { execution, seen, lease: holdLease(deps, execution, { ms: LEASE_MS, claimedAt: began }) };
}

const after = <T>(ms: number, settle: () => T | Promise<T>) =>
  new Promise<T>((resolve, reject) => {
    setTimeout(() => Promise.resolve().then(settle).then(resolve, reject), ms);
  });
const away = () => Promise.reject(new Error('away'));

describe('a lease whose database is away', () => {
  it.each([
    ['is refused at once', () => away()],
    ['fails after 4.9 s', () => after(4_900, away)],
    ['fails after 5 s', () => after(5_000, away)],
    ['fails after 10 s', () => after(10_000, away)],
    ['is never answered', () => new Promise<never>(() => undefined)],
  ])('ends in its holder before it ends in the database: each renewal %s', async (_how, renew) => {
    const { seen, lease } = held(renew);
    await vi.advanceTimersByTimeAsync(60_000);
    lease.close();
    expect(seen.endedAt).toBe(14_000);
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1); // of a renewal that has not failed yet
  });

  it('counts from before the last renewal was asked for, not from its answer', async () => {
    let answers = 0;
    const { seen, lease } = held(() => {
      answers += 1;
      return answers === 1 ? after(4_000, () => true) : new Promise<never>(() => undefined);
    });
    await vi.advanceTimersByTimeAsync(60_000);
    lease.close();
    expect(seen.endedAt).toBe(5_000 + 14_000);
  });
});

describe('a lease whose database answers', () => {
  it('lasts as long as it is renewed, and leaves no timer behind', async () => {
    const { seen, lease } = held(() => after(2_000, () => true));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(seen.endedAt).toBeNull();
    lease.close();
    await vi.advanceTimersByTimeAsync(2_000); // for a renewal under way
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends the execution when another worker has the issue', async () => {
    const { seen, lease } = held(async () => false);
    await vi.advanceTimersByTimeAsync(5_000);
    lease.close();
    expect(seen.endedAt).toBe(5_000);
  });
});

describe('the confirmation of a lease', () => {
  it('asks the store unless it said so within the allowed time', async () => {
    const { seen, lease } = held(async () => true);
    await vi.advanceTimersByTimeAsync(900);
    await lease.confirm(1_000);
    expect(seen.renewals).toBe(0);
    await vi.advanceTimersByTimeAsync(100);
    await lease.confirm(1_000);
    await lease.confirm(1_000);
    expect(seen.renewals).toBe(1);
    await lease.confirm(0);
    expect(seen.renewals).toBe(2);
    lease.close();
  });

  it('fails when another worker has the issue, and the execution with it', async () => {
    const { execution, lease } = held(async () => false);
    await expect(lease.confirm(0)).rejects.toMatchObject({ reason: 'lease_lost' });
    expect(execution.signal.aborted).toBe(true);
    lease.close();
  });

  it('asks again when the answer took so long that another worker may have the issue since', async () => {
    const answers = [after(2_000, () => true), Promise.resolve(false)];
    const { seen, lease } = held(async () => (await answers.shift()) ?? false);
    const refused = expect(lease.confirm(0)).rejects.toMatchObject({ reason: 'lease_lost' });
    await vi.advanceTimersByTimeAsync(2_000);
    await refused;
    expect(seen.renewals).toBe(2);
    lease.close();
  });

  it('fails when the store cannot be asked, which ends nothing yet', async () => {
    const { execution, lease } = held(away);
    await expect(lease.confirm(0)).rejects.toThrow('away');
    expect(execution.signal.aborted).toBe(false);
    lease.close();
  });

  it('does not wait longer for the store than the lease lasts', async () => {
    const { lease } = held(() => new Promise<never>(() => undefined));
    const refused = expect(lease.confirm(0)).rejects.toMatchObject({ reason: 'lease_lost' });
    await vi.advanceTimersByTimeAsync(14_000);
    await refused;
    lease.close();
  });

  it('fails in a process that has stood still, even before its timers have fired', async () => {
    const { seen, lease } = held(async () => true);
    const now = vi.spyOn(performance, 'now');
    now.mockReturnValue(performance.now() + 20_000);
    await expect(lease.confirm(60_000)).rejects.toMatchObject({ reason: 'lease_lost' });
    expect(seen.renewals).toBe(0);
    now.mockRestore();
    lease.close();
  });
});
