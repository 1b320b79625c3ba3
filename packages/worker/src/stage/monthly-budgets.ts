import {
  budgetsToWarnOf,
  exhaustedBudget,
  type MonthlyBudget,
  type Payer,
  renderHeld,
  renderUsed,
} from '@sluice/core/budget';
import type { WorkerDeps } from '../execution/worker-deps.ts';

/** Thrown through a stage whose next call of a model may not begin. The stage did not fail: it goes on with budget. */
class BudgetHeld extends Error {
  constructor(budget: MonthlyBudget) {
    super(renderHeld(budget.kind));
    this.name = 'BudgetHeld';
  }
}

/** The monthly budgets that bound the calls of one stage. */
export interface MonthlyBudgets {
  /** Aborted with a `BudgetHeld` when no further call may begin. */
  readonly signal: AbortSignal;
  /**
   * Right before each call of a model. Reads what all processes have recorded, so that beyond a limit there is at most the call
   * that each of them has under way.
   *
   * @throws BudgetHeld
   */
  confirm(): Promise<void>;
  /** Warns of those that are nearly used up, once for each and month over all processes. */
  warn(): Promise<void>;
}

export function openMonthlyBudgets(
  { budgets, log }: Pick<WorkerDeps, 'budgets' | 'log'>,
  payer: Payer,
): MonthlyBudgets {
  const held = new AbortController();

  async function read(): Promise<readonly MonthlyBudget[]> {
    const bounding = await budgets.bounding(payer);
    for (const budget of budgetsToWarnOf(bounding)) {
      if (!(await budgets.warn(budget))) continue;
      const { kind, subject, month } = budget;
      log.warn({ budget: kind, subject, month, used: renderUsed(budget) }, 'a monthly budget is nearly used up');
    }
    return bounding;
  }

  return {
    signal: held.signal,
    async confirm() {
      held.signal.throwIfAborted();
      const exhausted = exhaustedBudget(await read());
      if (exhausted === null) return;
      held.abort(new BudgetHeld(exhausted));
      held.signal.throwIfAborted();
    },
    async warn() {
      await read();
    },
  };
}
