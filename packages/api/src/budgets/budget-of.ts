import type { BudgetSubject, MonthlyBudget } from '@sluice/core/budget';
import type { RequestContext } from '../procedure/request-context.ts';

/** The budget of one subject in this month. */
export async function budgetOf(
  { budgets }: Pick<RequestContext, 'budgets'>,
  subject: BudgetSubject,
): Promise<MonthlyBudget> {
  const [budget] = await budgets.ofSubjects([subject]);
  if (budget === undefined) throw new Error('The budget that was asked for is missing.');
  return budget;
}
