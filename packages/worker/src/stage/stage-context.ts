import type { Attempt, Repo, Usage, WorkerStage, Workspace } from '@sluice/core';
import type { IssueExecution } from '../execution/issue-execution.ts';
import type { WorkerDeps, WorkerOptions } from '../execution/worker-deps.ts';
import type { BudgetGuard } from './budget-guard.ts';
import type { LiveChannel } from './live-channel.ts';

/** What a stage works with. `Port` names the ports that it uses. */
export interface StageContext<Port extends keyof WorkerDeps = keyof WorkerDeps> {
  readonly deps: Pick<WorkerDeps, Port>;
  readonly options: WorkerOptions;
  readonly execution: IssueExecution;
  /** Replaced by `followRepo` when the code host has moved the repository. */
  repo: Repo;
  readonly step: Attempt & { readonly stage: WorkerStage };
  /** The usage in the journal of the round; null while it must be read. */
  journaled: Usage | null;
  /** Aborted when the execution is over, on the stage's timeout, and when the issue's time budget is used up. */
  readonly signal: AbortSignal;
  /** Aborted on shutdown: work that another process can continue is released at its next boundary. */
  readonly draining: AbortSignal;
  readonly budget: BudgetGuard;
  readonly live: LiveChannel;
  /** The issue's working tree, prepared by the first call of an execution. */
  workspace(): Promise<Workspace>;
}
