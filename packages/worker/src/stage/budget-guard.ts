import { MAX_TIMER_MS } from '@sluice/core/async';
import { AppError } from '@sluice/core/error';
import { activeMs, type NewEvent } from '@sluice/core/issue';
import { BUDGET_WARNING_SHARE, type BudgetState, type BudgetUse, budgetUse, type Spent } from '@sluice/core/pipeline';
import type { IssueExecution } from '../execution/issue-execution.ts';
import type { WorkerDeps, WorkerOptions } from '../execution/worker-deps.ts';

/**
 * Compares an issue's budget with what it has used: the usage that the store has booked, and the time during which it was
 * executed. Tokens and money stop the next call of a model; they never interrupt a tool, a test run or a push. Time ends
 * whatever is running.
 */
export interface BudgetGuard {
  /** Aborted with `budget_exhausted` when the time is used up. */
  readonly signal: AbortSignal;
  /** Warns in the issue's log, once until the next retry, that the budget is nearly used up or cannot be enforced. */
  warn(): Promise<void>;
  /** The use of the budget's limit that is closest to its end, and of the stage's time. */
  use(): readonly BudgetUse[];
  /** Until time ends what is running: that of the stage, or that of the budget where it is shorter. */
  timeLeftMs(): number;
  /** @throws AppError `budget_exhausted` */
  check(): void;
  close(): void;
}

/** Opens the guard of one attempt. Its clock starts now. */
export async function openBudgetGuard(work: {
  readonly deps: Pick<WorkerDeps, 'runs' | 'timers'>;
  readonly options: Pick<WorkerOptions, 'budget' | 'stageTimeoutMs'>;
  readonly execution: IssueExecution;
}): Promise<BudgetGuard> {
  const { deps, options, execution } = work;
  const began = deps.timers.now();
  const { id, pipeline } = execution.issue();
  const budget = pipeline.budget.limit ?? options.budget;
  const activeBefore = budget.active_ms === null ? 0 : activeMs(await deps.runs.attempts(id));
  const spent = (): Spent => ({ usage: execution.issue().usage, activeMs: activeBefore + deps.timers.now() - began });
  const timeUp = new AbortController();
  let cancel: () => void = () => undefined;

  function endTime(): void {
    timeUp.abort(exhausted(budgetUse(spent(), budget)));
  }

  if (budget.active_ms !== null) {
    const leftMs = budget.active_ms - spent().activeMs;
    if (leftMs <= 0) endTime();
    else if (leftMs <= MAX_TIMER_MS) cancel = deps.timers.after(leftMs, endTime);
  }

  return {
    signal: timeUp.signal,
    async warn() {
      const { pipeline, usage } = execution.issue();
      const warned: Partial<BudgetState>[] = [];
      const texts: string[] = [];
      const warnings: NewEvent[] = [];
      const use = budgetUse(spent(), budget);
      if (use !== null && use.share >= BUDGET_WARNING_SHARE && !pipeline.budget.warned) {
        warned.push({ warned: true });
        texts.push(renderUse(use));
        warnings.push({ type: 'budget.warning', data: { share: use.share, detail: use.detail } });
      }
      if (budget.cost_usd !== null && usage.cost_usd === null && !pipeline.budget.cost_unknown) {
        warned.push({ cost_unknown: true });
        texts.push(
          'The price of a model that worked on this issue is unknown, so its limit on money cannot be enforced. Its other limits are.',
        );
      }
      if (texts.length === 0) return;
      await execution.apply({
        trigger: 'pipeline_updated',
        set: { pipeline: { ...pipeline, budget: Object.assign({}, pipeline.budget, ...warned) } },
        events: [
          ...texts.map((text): NewEvent => ({ type: 'agent.message', data: { agent: 'service', text } })),
          ...warnings,
        ],
      });
    },
    use() {
      const use = budgetUse(spent(), budget);
      const [stageMs, limitMs] = [deps.timers.now() - began, options.stageTimeoutMs];
      const detail = `${minutes(stageMs)} of ${minutes(limitMs)} minutes for this stage`;
      return [...(use === null ? [] : [use]), { share: stageMs / limitMs, detail }];
    },
    timeLeftMs() {
      const ofStage = options.stageTimeoutMs - (deps.timers.now() - began);
      return budget.active_ms === null ? ofStage : Math.min(ofStage, budget.active_ms - spent().activeMs);
    },
    check() {
      const use = budgetUse(spent(), budget);
      if (use !== null && use.share >= 1) throw exhausted(use);
    },
    close: () => cancel(),
  };
}

function minutes(ms: number): string {
  return (ms / 60_000).toFixed(1);
}

function renderUse({ share, detail }: BudgetUse): string {
  if (share >= 1) return `The issue's budget is used up: ${detail}. No further model is called; the work is kept.`;
  return `${Math.floor(share * 100)} % of the issue's budget is used: ${detail}. At 100 % the work stops and is kept.`;
}

function exhausted(use: BudgetUse | null): AppError {
  const used = use === null ? '' : `: ${use.detail}`;
  return new AppError('budget_exhausted', {
    detail: `The budget of the issue is used up${used}. The work is kept: retry with a higher budget to continue it.`,
  });
}
