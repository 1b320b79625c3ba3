import type { Issue, PublishedChangeRequest } from '../issue/issue.ts';
import type { ChangeRequestRecord } from './change-request-record.ts';

type PublishedIssue = Pick<Issue, 'id' | 'repoId' | 'pipeline'>;

/**
 * The record of a pull request from the first issue that was published to it. One that was merged or closed before it was
 * recorded begins as an open one, so that the next sync notices its end as any other.
 *
 * @param at when it was opened
 */
export function openedRecord(
  issue: PublishedIssue,
  { number, state }: PublishedChangeRequest,
  at: Date,
): ChangeRequestRecord {
  const { approved, implementation } = issue.pipeline;
  const isDraft = state === 'draft';
  return {
    repoId: issue.repoId,
    number,
    issueId: issue.id,
    openedAt: at,
    state: isDraft ? 'draft' : 'open',
    readyAt: isDraft ? null : at,
    mergedAt: null,
    closedAt: null,
    revertedAt: null,
    headCommit: pushedBy(issue),
    peopleCommits: 0,
    reviewRounds: 0,
    buildRounds: 0,
    firstBuild: null,
    build: null,
    closeAskedAt: null,
    closeAnswer: null,
    models: madeBy(issue),
    promptRevision: implementation?.prompt_revision ?? null,
    atFirstSight: approved === null ? null : approved.revision === 1,
  };
}

/** The record once an issue was published to the same pull request: a follow-up, or the first one once more. */
export function republishedRecord(record: ChangeRequestRecord, issue: PublishedIssue): ChangeRequestRecord {
  return {
    ...record,
    headCommit: pushedBy(issue) ?? record.headCommit,
    models: [...new Set([...record.models, ...madeBy(issue)])].sort(),
  };
}

function pushedBy({ pipeline }: PublishedIssue): string | null {
  return pipeline.publication?.head_commit ?? null;
}

function madeBy({ pipeline }: PublishedIssue): readonly string[] {
  return [...(pipeline.implementation?.made_by ?? [])].sort();
}
