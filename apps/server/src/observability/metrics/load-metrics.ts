import { createSingleFlight } from '@sluice/core/async';
import { type BudgetLoad, budgetKinds } from '@sluice/core/budget';
import type { QueueLoad } from '@sluice/core/issue';
import { Gauge, type Registry } from 'prom-client';

const LOAD_TIMEOUT_MS = 2_000; // an unavailable database must not delay the other metrics

export interface LoadMetrics {
  /** Sets the source of the queue metrics, read at each scrape. */
  watchQueue(load: () => Promise<QueueLoad>): void;
  /** Sets the source of the heartbeat of the job queue, in a process that takes jobs from it. */
  watchPolls(silentMs: () => number): void;
  /** Sets the source of the metrics of monthly budgets, read at each scrape. */
  watchBudgets(load: () => Promise<BudgetLoad>): void;
}

/** Metrics of the queue and the budgets, which are the same in every process. Each has its source set once. */
export function createLoadMetrics(registry: Registry): LoadMetrics {
  const registers = [registry];
  return {
    watchQueue: (load) => addQueueGauges(registers, sharedRead(load)),
    watchPolls: (silentMs) => {
      new Gauge({
        name: 'sluice_job_queue_silent_seconds',
        help: 'Time since this process last polled the job queue with success; 0 while it runs as many issues as it can. Absent in embedded mode and where ROLE=api.',
        registers,
        collect() {
          this.set(silentMs() / 1_000);
        },
      });
    },
    watchBudgets: (load) => addBudgetGauges(registers, sharedRead(load)),
  };
}

/** One read serves all metrics of a scrape, and concurrent scrapes. Null when the database does not answer in time. */
function sharedRead<T>(load: () => Promise<T>): () => Promise<T | null> {
  const reads = createSingleFlight<'load', T | null>();
  return () => reads.run('load', () => withTimeoutOrNull(LOAD_TIMEOUT_MS, load()));
}

async function withTimeoutOrNull<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), ms);
  try {
    return await Promise.race([work.catch(() => null), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function addQueueGauges(registers: Registry[], read: () => Promise<QueueLoad | null>): void {
  const gauge = (name: string, help: string, figure: (now: QueueLoad) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const now = await read();
        if (now === null)
          this.remove(); // no value is better than a stale one
        else this.set(figure(now));
      },
    });
  gauge('sluice_queued_issues', 'Issues waiting for a slot.', ({ queued }) => queued);
  gauge('sluice_active_issues', 'Issues that hold a slot, including those waiting at a gate.', ({ active }) => active);
  gauge(
    'sluice_gates_holding_slots_over_a_day',
    'Issues that have waited at a gate for more than a day while holding a slot; see GATE_KEEPS_SLOT.',
    ({ longAtGate }) => longAtGate,
  );
  gauge(
    'sluice_oldest_queued_seconds',
    'Age of the oldest queued issue; 0 if the queue is empty.',
    ({ oldestQueuedMs }) => oldestQueuedMs / 1_000,
  );
}

/** Adds the gauges of monthly budgets. @param read null when the database does not answer: then there are no values */
function addBudgetGauges(registers: Registry[], read: () => Promise<BudgetLoad | null>): void {
  const gauge = (name: string, help: string, figure: (of: BudgetLoad[keyof BudgetLoad]) => number | null) =>
    new Gauge({
      name,
      help,
      labelNames: ['budget'] as const,
      registers,
      async collect() {
        this.reset(); // no value is better than a stale one
        const now = await read();
        if (now === null) return;
        for (const budget of budgetKinds) {
          const value = figure(now[budget]);
          if (value !== null) this.set({ budget }, value);
        }
      },
    });
  gauge(
    'sluice_budget_used_share',
    'Used share of the monthly budget closest to its end (1 = used up), of all users, all repositories or the installation; absent where none is set.',
    ({ share }) => share,
  );
  gauge('sluice_issues_held_by_budget', 'Issues that wait because a monthly budget is used up.', ({ held }) => held);
}
