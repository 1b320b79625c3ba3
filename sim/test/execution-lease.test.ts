import type { RunStore } from '@sluice/core/agent';
import type { IssueId } from '@sluice/core/id';
import type { JobDriver } from '@sluice/core/issue';
import { expect, it } from 'vitest';
import { carryingLeases, executionLease, notingLeases } from '../src/execution-lease.ts';

it('tells the lease of an older execution from that of a newer one for the same issue', async () => {
  let epoch = 0;
  const runs = notingLeases({
    claim: async (issueId: IssueId, { owner }: { owner: string }) => {
      epoch += 1;
      return { lease: { issueId, owner, epoch }, issue: {} };
    },
  } as unknown as RunStore);
  const newerHasClaimed = Promise.withResolvers<void>();
  const seen: (number | undefined)[] = [];
  const driver = carryingLeases({
    start: async ({ handle }) => void (await Promise.all([handle('issue' as IssueId), handle('issue' as IssueId)])),
    stop: async () => undefined,
    silentMs: () => 0,
  } satisfies JobDriver);
  await driver.start({
    concurrency: 2,
    async handle(issueId) {
      const claimed = await runs.claim(issueId, { owner: 'one process', ttlMs: 15_000 });
      if (claimed?.lease.epoch === 2) newerHasClaimed.resolve();
      await newerHasClaimed.promise;
      seen.push(executionLease()?.epoch);
    },
  });
  expect(seen.sort()).toEqual([1, 2]);
  expect(executionLease()).toBeNull();
});
