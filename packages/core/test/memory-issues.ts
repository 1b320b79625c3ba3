import type { Authorized } from '../src/access/authorized.ts';
import type { IssueAct } from '../src/access/role.ts';
import type { Initiator } from '../src/audit/audit-entry.ts';
import type { IssueId, RepoId, UserId } from '../src/id/id.ts';
import type { Issue } from '../src/issue/issue.ts';
import { isTerminal, nextStatus } from '../src/issue/issue-machine.ts';
import type { IssueChange, IssueStore } from '../src/issue/issue-store.ts';
import { NEW_PIPELINE } from '../src/pipeline/pipeline-state.ts';
import { NO_USAGE } from '../src/pipeline/usage.ts';

export const ann = 'ann' as UserId;
export const byAnn: Initiator = { userId: ann, actor: { kind: 'user', sessionId: null } };

/** An issue of Ann's, as if its owner had been checked. */
export function anIssue(overrides: Partial<Issue> = {}): Authorized<Issue, IssueAct> {
  const at = new Date('2026-11-20T09:15:00.000Z');
  const issue: Issue = {
    id: 'issue' as IssueId,
    userId: ann,
    repoId: 'repo' as RepoId,
    title: 'Sum ignores its last argument',
    body: 'sum(1, 2, 3) gives 3.',
    status: 'pending',
    stage: null,
    origin: 'api',
    labels: [],
    parentIssueId: null,
    codehostNumber: null,
    codehostUrl: null,
    changeRequest: null,
    baseBranch: 'main',
    plan: null,
    gate: null,
    result: null,
    error: null,
    usage: NO_USAGE,
    pipeline: NEW_PIPELINE,
    queuePosition: null,
    waitsForRepo: false,
    heldByBudget: null,
    holdsSlot: false,
    createdAt: at,
    updatedAt: at,
    queuedAt: null,
    startedAt: null,
    finishedAt: null,
    lastSeq: 1,
    ...overrides,
  };
  return issue as Authorized<Issue, IssueAct>;
}

/** One issue in memory, with the rules of `IssueStore.apply` that its callers rely on. */
export function memoryIssues(first: Issue) {
  let issue = first;
  const changes: IssueChange[] = [];
  const unused = () => Promise.reject(new Error('This method is not part of the test.'));

  function isStale({ from }: IssueChange): boolean {
    return (
      from.status !== issue.status ||
      (from.queued !== undefined && from.queued !== (issue.queuedAt !== null)) ||
      (from.planRevision !== undefined && from.planRevision !== issue.plan?.revision) ||
      (from.lastSeq !== undefined && from.lastSeq !== issue.lastSeq)
    );
  }

  const issues: IssueStore = {
    create: unused,
    edit: unused,
    queueWaiting: unused,
    addNote: unused,
    list: unused,
    count: unused,
    inbox: unused,
    plans: unused,
    events: unused,
    estimate: unused,
    get: async () => issue,
    remove: async () => (isTerminal(issue.status) ? 'removed' : 'stale'),
    apply: async (change) => {
      await Promise.resolve(); // a concurrent write can come first
      if (isStale(change)) return { kind: 'stale' };
      const status = nextStatus(issue.status, change.trigger);
      if (status === null) throw new Error(`${change.trigger} is illegal for an issue that is ${issue.status}.`);
      changes.push(change);
      issue = { ...issue, ...change.set, status, lastSeq: issue.lastSeq + 1 };
      return { kind: 'applied', issue };
    },
  };
  return {
    issues,
    changes,
    /** Changes the issue as a concurrent writer would. */
    interfere: (overrides: Partial<Issue>) => {
      issue = { ...issue, lastSeq: issue.lastSeq + 1, ...overrides };
    },
  };
}
