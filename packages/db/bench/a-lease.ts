import type { Lease } from '@sluice/core';
import { aNewIssue, aNewRepo, aNewUser } from '@sluice/testing';
import type { Stores } from '../src/index.ts';

/** The lease of a running issue, on a repository of its own, for an hour. */
export async function aLease(stores: Stores): Promise<Lease> {
  const user = aNewUser();
  await stores.users.create(user);
  const repo = aNewRepo({ userId: user.id });
  await stores.repos.create(repo);
  const issue = aNewIssue({ userId: user.id, repoId: repo.id });
  await stores.issues.create(issue, { queue: true });
  const claimed = await stores.runs.claim(issue.id, 'bench', 3_600_000);
  if (claimed === null) throw new Error('the issue could not be claimed');
  return claimed.lease;
}
