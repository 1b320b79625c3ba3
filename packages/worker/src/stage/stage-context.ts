import type { Attempt } from '@sluice/core/issue';
import type { Usage, WorkerStage } from '@sluice/core/pipeline';
import type { Repo } from '@sluice/core/repo';
import type { Workspace } from '@sluice/core/workspace';
import type { IssueExecution } from '../execution/issue-execution.ts';
import type { WorkerDeps, WorkerOptions } from '../execution/worker-deps.ts';
import type { BudgetGuard } from './budget-guard.ts';
import type { LiveChannel } from './live-channel.ts';
import type { MonthlyBudgets } from './monthly-budgets.ts';

/** The context of a stage. `Port` names the ports that it uses. */
export interface StageContext<Port extends keyof WorkerDeps = keyof WorkerDeps> {
  readonly deps: Pick<WorkerDeps, Port>;
  readonly options: WorkerOptions;
  readonly execution: IssueExecution;
  /** Replaced by `followRepo` when the code host has moved the repository. */
  repo: Repo;
  readonly attempt: Attempt & { readonly stage: WorkerStage };
  /** The usage in the journal of the round; null while it must be read. */
  journaled: Usage | null;
  /** Aborted when the execution is over, on the stage's timeout, and when the issue's time or a monthly budget is used up. */
  readonly signal: AbortSignal;
  /** Aborted on shutdown: work that another process can continue is released at its next boundary. */
  readonly draining: AbortSignal;
  readonly budget: BudgetGuard;
  readonly monthly: MonthlyBudgets;
  readonly live: LiveChannel;
  /**
   * Returns when this execution still holds the lease and `signal` has not fired. Called right before each effect outside
   * the database: an execution that was suspended or cut off learns here that another worker has the issue, or that it was
   * cancelled.
   *
   * @param maxAgeMs how old the store's last word may be; 0, the default, always asks the store
   * @throws the signal's reason
   */
  confirmLease(maxAgeMs?: number): Promise<void>;
  /**
   * Called right before each request to a model, which costs money: as `confirmLease`, and only while no monthly budget is used
   * up.
   */
  beforeModelCall(): Promise<void>;
  /** The issue's working tree, prepared by the first call of an execution. */
  workspace(): Promise<Workspace>;
}
