import type { MonthlyBudget, Repo } from '@sluice/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { visibleText } from '../format/visible-text.ts';
import { client } from '../session/client.ts';
import { queryKeys } from '../session/query-keys.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Loading } from '../ui/loading.tsx';
import { Notice } from '../ui/notice.tsx';
import rows from '../ui/rows.module.css';
import { Section } from '../ui/section.tsx';
import { budgetWarning, limitWords, spentWords } from './budget-words.ts';
import { LimitForm } from './limit-form.tsx';

/** One's own budget, and those of the repositories that one administers. */
export function OwnBudgetsSection() {
  const { data, error, refetch } = useQuery(budgetsQuery);
  return (
    <Section
      title="Budgets"
      id="budgets"
      about="What models cost this month (UTC) for the issues that you created. Operators set the limit."
    >
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="the budgets" />}
      {data !== undefined && <BudgetUse of="You" budget={data.user} />}
      {data !== undefined && data.repositories.length > 0 && (
        <ul className={rows.rows} aria-label="Repositories that you administer">
          {data.repositories.map((budget) => (
            <li key={budget.repo_id} className={rows.row}>
              <Link to="/repos/$id" params={{ id: budget.repo_id }} hash="budget" className={rows.grow}>
                <bdi>{visibleText(budget.name)}</bdi>
              </Link>
              <span>{spentWords(budget)}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** The budget of a repository, for its admins. */
export function RepoBudgetSection({ repo }: { readonly repo: Repo }) {
  const { data, error, refetch } = useQuery(repoBudgetQuery(repo.id));
  return (
    <Section
      title="Budget"
      id="budget"
      about="What models cost this month (UTC) for the issues of this repository. When it is used up, they wait until the next month or a raise."
    >
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="the budget" />}
      {data !== undefined && (
        <>
          <BudgetUse of="This month" budget={data} />
          <LimitForm
            of="of the repository"
            limit={data.limit}
            save={(limit) => client.repos.updateBudget.mutate({ id: repo.id, ...limit })}
          />
        </>
      )}
    </Section>
  );
}

/** The budgets of the installation and of its users, for operators. */
export function OperatorBudgetsSection() {
  const { data, error, refetch } = useQuery(operatorBudgetsQuery);
  return (
    <Section
      title="Budgets"
      id="budgets"
      about="What models cost this month (UTC). Admins of a repository set its budget; a user's own limit is set with sluice admin budgets."
    >
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="the budgets" />}
      {data !== undefined && (
        <>
          <BudgetUse of="This server" budget={data.installation} />
          <LimitForm
            of="of this server"
            limit={data.installation.limit}
            save={(limit) => client.admin.updateBudgets.mutate({ of: 'installation', ...limit })}
          />
          <hr />
          <p>
            <strong>Each user without a limit of their own:</strong> {limitWords(data.each_user)}
          </p>
          <LimitForm
            of="of each user"
            limit={data.each_user}
            save={(limit) => client.admin.updateBudgets.mutate({ of: 'each_user', ...limit })}
          />
          {data.users.length > 0 && (
            <ul className={rows.rows} aria-label="Users with spending or a limit of their own">
              {data.users.map((user) => (
                <li key={user.user_id} className={rows.row}>
                  <bdi className={rows.grow}>{visibleText(user.email ?? user.codehost_login ?? user.user_id)}</bdi>
                  <span>{spentWords(user)}</span>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Section>
  );
}

/** The spending of a budget this month, and a warning where there is one. */
function BudgetUse({ of, budget }: { readonly of: string; readonly budget: MonthlyBudget }) {
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

/** One's own budget, those of the repositories that one administers, and for operators that of the installation. */
const budgetsQuery = queryOptions({
  queryKey: [...queryKeys.budgets, 'mine'],
  queryFn: ({ signal }) => client.budgets.mine.query(undefined, { signal }),
});

/** The budget of a repository, for its admins. */
function repoBudgetQuery(id: string) {
  return queryOptions({
    queryKey: [...queryKeys.budgets, 'repo', id],
    queryFn: ({ signal }) => client.repos.budget.query({ id }, { signal }),
  });
}

/** The budgets that operators set. */
const operatorBudgetsQuery = queryOptions({
  queryKey: [...queryKeys.budgets, 'operator'],
  queryFn: ({ signal }) => client.admin.budgets.query(undefined, { signal }),
});
