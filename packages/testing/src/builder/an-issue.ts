import { type Issue, type NewIssue, needsSlot } from '@sluice/core/issue';
import { NEW_PIPELINE, NO_USAGE } from '@sluice/core/pipeline';
import { newId } from './ids.ts';

const CREATED = new Date('2026-11-20T09:15:00.000Z');

/** A new issue; give the `userId` and `repoId` that it belongs to. */
export function aNewIssue(overrides: Partial<NewIssue> = {}): NewIssue {
  return {
    id: newId(),
    userId: newId(),
    repoId: newId(),
    title: 'Sum ignores its last argument',
    body: 'sum(1, 2, 3) gives 3.',
    origin: 'api',
    labels: [],
    baseBranch: 'main',
    ...overrides,
  };
}

/** An issue that waits for somebody to run it, unless `overrides` say otherwise. */
export function anIssue(overrides: Partial<Issue> = {}): Issue {
  return {
    id: newId(),
    userId: newId(),
    repoId: newId(),
    title: 'Sum ignores its last argument',
    body: 'sum(1, 2, 3) gives 3.',
    origin: 'api',
    labels: [],
    baseBranch: 'main',
    status: 'pending',
    stage: null,
    parentIssueId: null,
    codehostNumber: null,
    codehostUrl: null,
    changeRequest: null,
    plan: null,
    gate: null,
    result: null,
    error: null,
    usage: NO_USAGE,
    pipeline: NEW_PIPELINE,
    queuePosition: null,
    waitsForRepo: false,
    heldByBudget: null,
    holdsSlot: overrides.status !== undefined && needsSlot(overrides.status),
    createdAt: CREATED,
    updatedAt: CREATED,
    queuedAt: null,
    startedAt: null,
    finishedAt: null,
    lastSeq: 1,
    ...overrides,
  };
}
