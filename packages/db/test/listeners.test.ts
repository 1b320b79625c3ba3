import { aNewIssue, aNewRepo, aNewUser, settableClock } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { openScratch } from './scratch.ts';

const clock = settableClock();

describe('opened stores', () => {
  it('keep a write whose listeners fail, and report their errors', async () => {
    const broken = new Error('broken listener');
    const faults: unknown[] = [];
    const fail = () => {
      throw broken;
    };
    const listeners = { onEvents: fail, onRunnable: fail, onListenerError: (fault: unknown) => faults.push(fault) };
    await using stores = await openScratch({ clock, ...listeners });
    const user = aNewUser();
    const repo = aNewRepo({ userId: user.id });
    await stores.users.create(user);
    await stores.repos.create(repo);
    const outcome = await stores.issues.create(aNewIssue({ userId: user.id, repoId: repo.id }), { queue: true });
    expect(outcome.kind).toBe('applied');
    expect(faults).toEqual([broken, broken]);
  });

  it('run after the commit of a write, and may write themselves', async () => {
    const user = aNewUser();
    const repo = aNewRepo({ userId: user.id });
    const issue = aNewIssue({ userId: user.id, repoId: repo.id });
    const seen: Promise<unknown>[] = [];
    await using stores = await openScratch({
      clock,
      onRunnable: (ids) => {
        for (const id of ids)
          seen.push(stores.issues.get(id), stores.runs.claim(id, { owner: 'worker', ttlMs: 60_000 }));
      },
    });
    await stores.users.create(user);
    await stores.repos.create(repo);
    await stores.issues.create(issue, { queue: true });
    expect(await Promise.all(seen)).toMatchObject([{ id: issue.id }, { lease: { issueId: issue.id, epoch: 1 } }]);
  });

  it('are healthy until they are closed, and a check that was called off says so', async () => {
    const stores = await openScratch({ clock });
    await expect(stores.health.check(new AbortController().signal)).resolves.toBeUndefined();
    await expect(stores.health.check(AbortSignal.abort())).rejects.toThrow(/abort/);
    await stores.close();
    await expect(stores.health.check(new AbortController().signal)).rejects.toThrow();
  });
});
