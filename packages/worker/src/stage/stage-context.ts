import type { Attempt, Repo, Usage, WorkerStage, Workspace } from '@sluice/core';
import type { IssueExecution } from '../execution/issue-execution.ts';
import type { WorkerDeps, WorkerOptions } from '../execution/worker-deps.ts';
import type { BudgetGuard } from './budget-guard.ts';
import type { LiveChannel } from './live-channel.ts';

/** What a stage works with. */
export interface StageContext {
  readonly deps: WorkerDeps;
  readonly options: WorkerOptions;
  readonly execution: IssueExecution;
  /** Replaced by `followRepo` where the code host has it under another name by now. */
  repo: Repo;
  readonly step: Attempt & { readonly stage: WorkerStage };
  /** What the round's journal says that its agent took; null where it is to be read. */
  journaled: Usage | null;
  /** Aborted when the drive is over, when the stage has taken too long, and when the issue's time is used up. */
  readonly signal: AbortSignal;
  /** Aborted when another process is to go on: work that can be gone on with is let go of where it can. */
  readonly draining: AbortSignal;
  readonly budget: BudgetGuard;
  readonly live: LiveChannel;
  /** The issue's working tree, made or found at the first call of a drive. */
  workspace(): Promise<Workspace>;
}
