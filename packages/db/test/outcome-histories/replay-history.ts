import type { ChangeRequestState } from '@sluice/core/code-host';
import type { Issue } from '@sluice/core/issue';
import type { OutcomeFacts } from '@sluice/core/outcome';
import { type FollowUpCause, NEW_PIPELINE, type PipelineState } from '@sluice/core/pipeline';
import type { Repo } from '@sluice/core/repo';
import { claimed, followUpOn, importOf, newId, type StoreHarness } from '@sluice/testing';
import type { History, Step } from './histories.ts';

/** What the code host would say of the pull request. */
interface Hosted {
  state: ChangeRequestState;
  head: string;
  peopleCommits: number;
  mergedAt: Date | null;
  revertedAt: Date | null;
  build: OutcomeFacts['build'];
}

const stateAfter: Readonly<Partial<Record<Step['kind'], ChangeRequestState>>> = {
  ready: 'open',
  draft: 'draft',
  close: 'closed',
  reopen: 'open',
  merge: 'merged',
};

/**
 * Takes a history through the stores as the service would: the issue and its follow-ups are run and published, and a sync
 * follows each step, sometimes twice.
 */
export async function replayHistory(
  stores: StoreHarness,
  { history, repo, number }: { history: History; repo: Repo; number: number },
): Promise<Issue['id']> {
  const { outcomes, clock } = stores;
  const key = { repoId: repo.id, number };
  const { isDraft, steps } = history;
  const first = await openChangeRequest(stores, { history, repo, number });
  const hosted: Hosted = {
    state: isDraft ? 'draft' : 'open',
    head: 'head-0',
    peopleCommits: 0,
    mergedAt: null,
    revertedAt: null,
    build: undefined,
  };
  for (const [index, step] of steps.entries()) {
    clock.advance(step.after * 1_000);
    hosted.state = stateAfter[step.kind] ?? hosted.state;
    if (step.kind === 'people') hosted.peopleCommits += step.commits;
    if (step.kind === 'merge') hosted.mergedAt = clock.now();
    if (step.kind === 'revert') hosted.revertedAt = clock.now();
    hosted.build = step.kind === 'build' ? buildOf(step, hosted) : undefined;
    if (step.kind === 'review' || step.kind === 'fix') {
      const head = `head-${index + 1}`;
      await followUp(stores, { step, repo, first, number, head, revision: history.revision });
      if (step.pushes) hosted.head = head;
    }
    if (step.kind === 'reason') {
      await outcomes.answerClose(key, { reason: step.reason, note: null, userId: repo.userId });
    }
    const { state, peopleCommits, mergedAt, revertedAt, build } = hosted;
    // Without the host's own time the sync's stands in, which is the same here.
    const facts = { state, peopleCommits, revertedAt, build, ...(index % 2 === 0 && { mergedAt }) };
    for (let time = index % 3 === 0 ? 2 : 1; time > 0; time -= 1) await outcomes.note(key, facts);
  }
  return first;
}

function buildOf({ isOurs, verdict }: Extract<Step, { kind: 'build' }>, { head }: Hosted): OutcomeFacts['build'] {
  return {
    commit: isOurs ? head : 'of-somebody-else',
    verdict: verdict ?? 'pending',
    ...{ failed: [], also_failing_at_base: [], optional_failed: [], url: 'https://host.test/acme/sum/pull/9' },
  };
}

interface Opening {
  readonly history: History;
  readonly repo: Repo;
  readonly number: number;
}

async function openChangeRequest(stores: StoreHarness, { history, repo, number }: Opening): Promise<Issue['id']> {
  const { isDraft, isCancelled, models, revision, planRevision, cost } = history;
  const issue = importOf(repo, 10_000 + number);
  await stores.issues.create(issue, { queue: true });
  await spend(stores, issue.id, { cost });
  const pipeline = pipelineOf({ head: 'head-0', models, revision, planRevision });
  const state = isDraft ? 'draft' : 'open';
  if (!isCancelled) await publish(stores, issue.id, { pipeline, changeRequest: { number, state } });
  else {
    const from = { status: 'running' } as const;
    await stores.issues.apply({ issueId: issue.id, from, trigger: 'cancelled', set: { pipeline }, events: [] });
    const url = `https://host.test/acme/sum/pull/${number}`;
    await stores.codehostIndex.noteChangeRequest(issue.id, { number, url, state });
  }
  return issue.id;
}

async function followUp(
  stores: StoreHarness,
  of: {
    readonly step: Extract<Step, { kind: 'review' | 'fix' }>;
    readonly repo: Repo;
    readonly first: Issue['id'];
    readonly number: number;
    readonly head: string;
    readonly revision: string | null;
  },
): Promise<void> {
  const { step, repo, first, number, head, revision } = of;
  const origin = `${step.kind === 'review' ? 'review' : 'build'}-${newId()}`;
  const cause: FollowUpCause =
    step.kind === 'review' ? { kind: 'comment' } : { kind: 'build', head_commit: head, round: 1, jobs: [] };
  const issue = followUpOn(repo, origin, { parentIssueId: first, followUp: cause });
  await stores.issues.create(issue, { queue: true });
  await spend(stores, issue.id, step);
  const pipeline = pipelineOf({ head, models: [step.model], revision, planRevision: 1 });
  if (step.pushes) await publish(stores, issue.id, { pipeline, changeRequest: { number, state: 'open' } });
  else {
    const from = { status: 'running' } as const;
    await stores.issues.apply({ issueId: issue.id, from, trigger: 'cancelled', events: [] });
  }
}

async function publish(
  stores: StoreHarness,
  issueId: Issue['id'],
  set: { readonly pipeline: PipelineState; readonly changeRequest: { number: number; state: ChangeRequestState } },
): Promise<void> {
  const lease = await claimed(stores, issueId);
  const from = { status: 'running' } as const;
  const outcome = await stores.issues.apply({ issueId, from, trigger: 'published', lease, set, events: [] });
  if (outcome.kind !== 'applied') throw new Error(`the issue was not published: ${outcome.kind}`);
}

async function spend(stores: StoreHarness, id: Issue['id'], { cost }: { cost: number | null }): Promise<void> {
  const lease = await claimed(stores, id);
  const attempt = await stores.runs.beginAttempt(lease, { stage: 'triage', round: 1, agent: 'triager' });
  if (attempt === null) throw new Error('the lease was lost');
  const usage = { input_tokens: 1, output_tokens: 1, cost_usd: cost };
  await stores.runs.appendJournal(lease, attempt, {
    entries: [{ kind: 'usage', usage, model: 'anvil-1' }],
    events: [],
  });
  await stores.runs.release(lease);
}

function pipelineOf(of: {
  readonly head: string;
  readonly models: readonly string[];
  readonly revision: string | null;
  readonly planRevision: number | null;
}): PipelineState {
  const approved = { plan_hash: null, base_commit: null };
  return {
    ...NEW_PIPELINE,
    approved: of.planRevision === null ? null : { ...approved, revision: of.planRevision },
    implementation: {
      summary: '',
      head_commit: of.head,
      outside_plan: [],
      ran: null,
      made_by: of.models,
      prompt_revision: of.revision,
      tests: null,
      review: null,
      findings: [],
    },
    publication: { head_commit: of.head, asked: [], confirmed: null, change_request: null },
  };
}
