import type { ChangeRequestState } from '../code-host/code-host.ts';
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
  /** The pull request that it was published to, as the code host last said. */
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
  /** Whether it occupies one of the host's slots. */
  readonly holdsSlot: boolean;
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
  /** Where it comes from at the code host. The same number, or the same comment, is imported once per repository. */
  readonly codehost?: {
    readonly number: number | null;
    readonly commentId: string | null;
    readonly url: string;
  };
  readonly parentIssueId?: IssueId;
  /** The branch that it goes on with, for a follow-up. Left out: a branch of its own. */
  readonly branch?: string;
  /** Warnings about its text, for whoever decides: shown at the gate. */
  readonly warnings?: readonly string[];
}
