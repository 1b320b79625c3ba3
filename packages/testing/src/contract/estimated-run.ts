import type { Estimate } from '@sluice/core/estimate';
import type { Issue, IssueChange, Lease } from '@sluice/core/issue';
import { type Implementation, NEW_PIPELINE, type Plan, type Stage } from '@sluice/core/pipeline';
import type { Repo } from '@sluice/core/repo';
import { aGate, aPlan } from '../builder/a-plan.ts';
import { applied, claimed, decision } from './pipeline-moves.ts';
import { newIssueOn, type StoreHarness } from './store-harness.ts';

const implementation: Implementation = {
  summary: 'Added up every argument.',
  head_commit: 'c0ffee',
  outside_plan: [],
  ran: null,
  made_by: [],
  tests: null,
  review: null,
  findings: [],
};

/** What a stage takes. */
export interface Taken {
  readonly costUsd: number | null;
  readonly activeMs: number;
}

/** A plan of so many steps, each with a file of its own: twice as large in size. */
export function aPlanOf(steps: number, revision = 1): Plan {
  const step = (index: number) => ({ title: `Step ${index}`, detail: '', files: [`src/${index}.js`] });
  return aPlan({ revision, steps: Array.from({ length: steps }, (_, index) => step(index)) });
}

/** Runs a stage of a running issue, and ends it with a change. The clock goes on by what it takes. */
async function stage(
  stores: StoreHarness,
  { lease, stage, round = 1, taken }: { lease: Lease; stage: Stage; round?: number; taken: Taken },
  change: Pick<IssueChange, 'trigger' | 'set' | 'plan'>,
): Promise<Issue> {
  const usage = { input_tokens: 60, output_tokens: 40, cost_usd: taken.costUsd };
  const begun = await stores.runs.beginAttempt(lease, { stage, round, agent: 'agent' });
  if (begun === null) throw new Error('the lease was lost');
  await stores.runs.appendJournal(
    lease,
    { stage, round },
    { entries: [{ kind: 'usage', usage, model: 'acme/m' }], events: [] },
  );
  stores.clock.advance(taken.activeMs);
  const { issueId } = lease;
  const ended = { stage, round, attempt: begun.attempt, outcome: 'completed', usage, detail: null } as const;
  return applied(
    await stores.issues.apply({ issueId, from: { status: 'running' }, lease, ended, events: [], ...change }),
  );
}

/** Plans a running issue, and opens the gate of its plan. */
export async function planned(
  stores: StoreHarness,
  issueId: Issue['id'],
  { plan, taken = { costUsd: 0.25, activeMs: 1_000 } }: { readonly plan: Plan; readonly taken?: Taken },
): Promise<Issue> {
  const lease = await claimed(stores, issueId);
  const set = { stage: 'human_review', gate: aGate({ revision: plan.revision }) } as const;
  const round = plan.revision;
  await stage(stores, { lease, stage: 'plan', round, taken }, { trigger: 'plan_completed', set, plan });
  return applied(
    await stores.issues.apply({
      issueId,
      from: { status: 'human_review' },
      trigger: 'review_opened',
      lease,
      events: [],
    }),
  );
}

/** A run of an issue: planned, approved, implemented and completed. @returns the estimate that was made at its gate */
export async function completedRun(
  stores: StoreHarness,
  repo: Repo,
  { plan, taken }: { readonly plan: Plan; readonly taken: Taken },
): Promise<Estimate> {
  const { id, userId } = applied(await stores.issues.create(newIssueOn(repo), { queue: true }));
  await planned(stores, id, { plan });
  const estimate = await stores.issues.estimate(id, plan.revision);
  if (estimate === null) throw new Error('no estimate was made at the gate');
  applied(await stores.issues.apply(decision(id, { userId, index: 0 })));
  await implemented(stores, id, { taken });
  return estimate;
}

/** Implements an approved plan, and ends the issue: `completed`, or by another change. */
export async function implemented(
  stores: StoreHarness,
  issueId: Issue['id'],
  { taken, end = PUBLISHED }: { readonly taken: Taken; readonly end?: Pick<IssueChange, 'trigger' | 'set'> },
): Promise<Issue> {
  const lease = await claimed(stores, issueId);
  return await stage(stores, { lease, stage: 'implement', taken }, end);
}

const pipeline = { ...NEW_PIPELINE, implementation };
const PUBLISHED = { trigger: 'published', set: { pipeline } } as const;

/** The end of a run that failed after the coder had come to a result. */
export const failedWithResult = {
  trigger: 'gave_up',
  set: { pipeline, error: { stage: 'test', detail: 'The tests fail at the head.' } },
} as const;
