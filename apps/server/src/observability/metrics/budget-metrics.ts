import { type BudgetLoad, budgetKinds } from '@sluice/core/budget';
import { Gauge, type Registry } from 'prom-client';

/** Adds the gauges of monthly budgets. @param read null when the database does not answer: then there are no values */
export function addBudgetGauges(registers: Registry[], read: () => Promise<BudgetLoad | null>): void {
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
