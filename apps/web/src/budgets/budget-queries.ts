import { queryOptions } from '@tanstack/react-query';
import { client } from '../session/client.ts';
import { queryKeys } from '../session/query-keys.ts';

/** One's own budget, those of the repositories that one administers, and for operators that of the installation. */
export const budgetsQuery = queryOptions({
  queryKey: [...queryKeys.budgets, 'mine'],
  queryFn: ({ signal }) => client.budgets.mine.query(undefined, { signal }),
});

/** The budget of a repository, for its admins. */
export function repoBudgetQuery(id: string) {
  return queryOptions({
    queryKey: [...queryKeys.budgets, 'repo', id],
    queryFn: ({ signal }) => client.repos.budget.query({ id }, { signal }),
  });
}

/** The budgets that operators set. */
export const operatorBudgetsQuery = queryOptions({
  queryKey: [...queryKeys.budgets, 'operator'],
  queryFn: ({ signal }) => client.admin.budgets.query(undefined, { signal }),
});
