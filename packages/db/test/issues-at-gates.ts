import type { Issue } from '@sluice/core/issue';
import type { Gate } from '@sluice/core/pipeline';
import { aGate, aNewIssue, aNewRepo, aNewUser, aPlan } from '@sluice/testing';
import type { Stores } from '../src/index.ts';

/** A queued issue with a separate repository. Its user is registered too unless `owner` is given. */
export async function queuedIssue(stores: Stores, owner?: Issue['userId']): Promise<Issue> {
  const user = aNewUser();
  if (owner === undefined) await stores.users.create(user);
  const userId = owner ?? user.id;
  const repo = aNewRepo({ userId });
  await stores.repos.create(repo);
  const outcome = await stores.issues.create(aNewIssue({ userId, repoId: repo.id }), { queue: true });
  return outcome.kind === 'applied' ? outcome.issue : fail(outcome.kind);
}

/** Takes a running issue to the gate of its plan. */
export async function atGate(stores: Stores, { id: issueId }: Issue, gate: Partial<Gate> = {}): Promise<Issue> {
  const { lease } =
    (await stores.runs.claim(issueId, { owner: 'worker', ttlMs: 60_000 })) ??
    fail('the issue could not be claimed or read');
  const plan = aPlan();
  const set = { stage: 'human_review', gate: aGate(gate) } as const;
  await stores.issues.apply({
    ...{ issueId, from: { status: 'running' }, trigger: 'plan_completed', lease, set, plan },
    events: [],
  });
  await stores.issues.apply({ issueId, from: { status: 'human_review' }, trigger: 'review_opened', lease, events: [] });
  return (await stores.issues.get(issueId)) ?? fail('the issue could not be claimed or read');
}

function fail(why: string): never {
  throw new Error(why);
}
