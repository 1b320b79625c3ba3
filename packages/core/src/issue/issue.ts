import type { IssueId, RepoId, UserId } from '../id.ts';
import type { PipelineState } from '../pipeline/pipeline-state.ts';
import type { Stage } from '../pipeline/stages.ts';
import type { Gate } from './gate.ts';
import type { IssueStatus } from './issue-machine.ts';
import type { IssueError, IssueResult, Usage } from './issue-result.ts';
import type { Plan } from './plan.ts';

export const issueOrigins = ['api', 'codehost', 'follow_up'] as const;
export type IssueOrigin = (typeof issueOrigins)[number];

/** An issue as the domain sees it. */
export interface Issue {
  readonly id: IssueId;
  readonly userId: UserId;
  readonly repoId: RepoId;
  readonly title: string;
  readonly body: string;
  readonly status: IssueStatus;
  readonly stage: Stage | null;
  readonly origin: IssueOrigin;
  readonly labels: readonly string[];
  readonly parentIssueId: IssueId | null;
  readonly codehostNumber: number | null;
  readonly codehostUrl: string | null;
  readonly baseBranch: string;
  readonly plan: Plan | null;
  readonly gate: Gate | null;
  readonly result: IssueResult | null;
  readonly error: IssueError | null;
  readonly usage: Usage;
  readonly pipeline: PipelineState;
  /** 1 = next to start; null unless queued. */
  readonly queuePosition: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly queuedAt: Date | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** Sequence number of the issue's newest durable event. */
  readonly lastSeq: number;
}

/** What is needed to write a new issue. It is queued at once unless it comes from an import. */
export interface NewIssue {
  readonly id: IssueId;
  readonly userId: UserId;
  readonly repoId: RepoId;
  readonly title: string;
  readonly body: string;
  readonly origin: IssueOrigin;
  readonly labels: readonly string[];
  readonly baseBranch: string;
}
