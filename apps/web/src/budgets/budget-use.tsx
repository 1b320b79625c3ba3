import type { MonthlyBudget } from '@sluice/client';
import { Notice } from '../ui/notice.tsx';
import { budgetWarning, spentWords } from './budget-words.ts';

/** The spending of a budget this month, and a warning where there is one. */
export function BudgetUse({ of, budget }: { readonly of: string; readonly budget: MonthlyBudget }) {
  const warning = budgetWarning(budget);
  return (
    <>
      <p>
        <strong>{of}:</strong> {spentWords(budget)}
      </p>
      {warning !== null && <Notice tone="warn">{warning}</Notice>}
    </>
  );
}
