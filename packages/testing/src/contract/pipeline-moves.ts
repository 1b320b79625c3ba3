import type { IssueId, UserId } from '@sluice/core/id';
import type {
  ApplyOutcome,
  CreateIssueOutcome,
  Issue,
  IssueChange,
  IssueEvent,
  IssueStatus,
  Lease,
} from '@sluice/core/issue';
import type { Gate } from '@sluice/core/pipeline';
import { aGate, aPlan } from '../builder/a-plan.ts';
import { LONG_MS } from './run-samples.ts';
import { newIssueOn, registeredRepo, type StoreHarness } from './store-harness.ts';

/** The issue of an outcome that must be `applied`. */
export function applied(outcome: ApplyOutcome | CreateIssueOutcome): Issue {
  if (outcome.kind !== 'applied') throw new Error(`the change was not applied: ${outcome.kind}`);
  return outcome.issue;
}

/** A running issue with a separate repository. */
export async function runningIssue(stores: Pick<StoreHarness, 'users' | 'repos' | 'issues'>): Promise<Issue> {
  const repo = await registeredRepo(stores);
  return applied(await stores.issues.create(newIssueOn(repo), { queue: true }));
}

/** Issues of one user, each on a separate repository, queued in order. */
export async function queuedFor(
  stores: Pick<StoreHarness, 'users' | 'repos' | 'issues'>,
  userId: UserId,
  count: number,
): Promise<IssueId[]> {
  const ids: IssueId[] = [];
  while (ids.length < count) {
    const repo = await registeredRepo(stores, { userId });
    ids.push(applied(await stores.issues.create(newIssueOn(repo), { queue: true })).id);
  }
  return ids;
}

/** A lease that must be given. */
export async function claimed(stores: Pick<StoreHarness, 'runs'>, issueId: IssueId, ttlMs = LONG_MS): Promise<Lease> {
  const claim = await stores.runs.claim(issueId, { owner: 'worker-1', ttlMs: ttlMs });
  if (claim === null) throw new Error('the issue could not be claimed');
  return claim.lease;
}

/** Takes a running issue to the gate: its next plan is written, the review opened, the lease gone. */
export async function broughtToGate(stores: StoreHarness, issueId: IssueId, gate: Partial<Gate> = {}): Promise<Issue> {
  const lease = await claimed(stores, issueId);
  const revision = ((await stores.issues.get(issueId))?.plan?.revision ?? 0) + 1;
  const plan = aPlan({ revision });
  applied(
    await stores.issues.apply({
      issueId,
      from: { status: 'running' },
      trigger: 'plan_completed',
      lease,
      set: { stage: 'human_review', gate: aGate({ revision, ...gate }) },
      plan,
      events: [{ type: 'plan.created', data: { plan } }],
    }),
  );
  return applied(
    await stores.issues.apply({
      issueId,
      from: { status: 'human_review' },
      trigger: 'review_opened',
      lease,
      events: [{ type: 'review.requested', data: { revision } }],
    }),
  );
}

/** Ends a running issue in failure, at that stage. */
export async function failed(stores: StoreHarness, issueId: IssueId): Promise<Issue> {
  const lease = await claimed(stores, issueId);
  return applied(
    await stores.issues.apply({
      issueId,
      from: { status: 'running' },
      trigger: 'gave_up',
      lease,
      set: { stage: 'test', error: { stage: 'test', detail: 'The tests fail at the head.' } },
      events: [],
    }),
  );
}

/** Cancels an issue, whatever its status. */
export async function cancelled(stores: StoreHarness, issueId: IssueId): Promise<Issue> {
  const issue = await stores.issues.get(issueId);
  if (issue === null) throw new Error('there is no such issue');
  return applied(
    await stores.issues.apply({ issueId, from: { status: issue.status }, trigger: 'cancelled', events: [] }),
  );
}

/** All events of an issue. */
export async function eventsOf(stores: Pick<StoreHarness, 'issues'>, issueId: IssueId): Promise<readonly IssueEvent[]> {
  return await stores.issues.events(issueId, { after: 0, limit: 10_000 });
}

/**
 * The status that an issue's events lead to: what it was created in, changed by each `issue.status`.
 *
 * @throws Error when the numbers have a gap or a repeat, or a change does not start where the last one ended
 */
export function replayStatus(events: readonly IssueEvent[]): IssueStatus {
  let status: IssueStatus | null = null;
  for (const [index, event] of events.entries()) {
    if (event.seq !== index + 1) throw new Error(`event ${index + 1} has the number ${event.seq}`);
    if (event.type === 'issue.created') status = event.data.issue.status;
    if (event.type !== 'issue.status') continue;
    if (event.data.from !== status) throw new Error(`event ${event.seq} starts at ${event.data.from}, not ${status}`);
    status = event.data.to;
  }
  if (status === null) throw new Error('no event tells of the creation');
  return status;
}

/** The places of these issues in the queue. */
export async function positionsOf(
  stores: Pick<StoreHarness, 'issues'>,
  ids: readonly IssueId[],
): Promise<(number | null)[]> {
  return await Promise.all(ids.map(async (id) => (await stores.issues.get(id))?.queuePosition ?? null));
}

/** A person's approval or rejection, as the domain writes it. */
export function decision(id: Issue['id'], { userId, index }: { userId: Issue['userId']; index: number }): IssueChange {
  const approve = index % 2 === 0;
  return {
    issueId: id,
    from: { status: 'awaiting_approval', planRevision: 1 },
    trigger: approve ? 'plan_approved' : 'plan_rejected',
    set: { stage: approve ? 'implement' : 'human_review', gate: null },
    events: [
      {
        type: 'review.decided',
        data: { revision: 1, action: approve ? 'approve' : 'reject', guidance: null, user_id: userId },
      },
    ],
  };
}
