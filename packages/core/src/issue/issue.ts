import type { BudgetKind } from '../budget/monthly-budget.ts';
import type { ChangeRequestState } from '../code-host/change-request.ts';
import type { IssueId, RepoId, UserId } from '../id/id.ts';
import type { Gate } from '../pipeline/gate.ts';
import type { PipelineState } from '../pipeline/pipeline-state.ts';
import type { Plan } from '../pipeline/plan.ts';
import type { Stage } from '../pipeline/stages.ts';
import type { Usage } from '../pipeline/usage.ts';
import type { IssueStatus } from './issue-machine.ts';
import type { IssueError, IssueResult } from './issue-result.ts';

export const issueOrigins = ['api', 'codehost', 'follow_up'] as const;
export type IssueOrigin = (typeof issueOrigins)[number];

export interface PublishedChangeRequest {
  readonly number: number;
  readonly state: ChangeRequestState;
}

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
  /** The pull request that it was published to, in its last known state. */
  readonly changeRequest: PublishedChangeRequest | null;
  readonly baseBranch: string;
  readonly plan: Plan | null;
  readonly gate: Gate | null;
  readonly result: IssueResult | null;
  readonly error: IssueError | null;
  readonly usage: Usage;
  readonly pipeline: PipelineState;
  /** 1 = next to start; null unless queued. */
  readonly queuePosition: number | null;
  /** Whether it is queued as soon as its repository is free: `pending`, and not queued yet. */
  readonly waitsForRepo: boolean;
  /** The used-up budget that it waits for, in no queue: `pending`, with its repository and without a slot. Null: it does not. */
  readonly heldByBudget: BudgetKind | null;
  /** Whether it occupies a slot. */
  readonly holdsSlot: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly queuedAt: Date | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** Sequence number of the issue's newest durable event. */
  readonly lastSeq: number;
}

/** An issue in a list: without the state of its pipeline, which no list shows. */
export type ListedIssue = Omit<Issue, 'pipeline'>;
