import type { Issue } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { heldWords } from '../budgets/budget-words.ts';
import { profileQuery, repoQuery } from '../session/queries.ts';
import { buttonClass } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

type HeldIssue = Issue & { readonly held_by_budget: NonNullable<Issue['held_by_budget']> };

/** Which monthly budget an issue waits for, and who can raise it: a link for those who can. */
export function HeldNotice({ issue: { held_by_budget: budget, repo_id: id } }: { readonly issue: HeldIssue }) {
  const role = useQuery(repoQuery(id)).data?.role;
  const isOperator = useQuery(profileQuery).data?.operator === true;
  const raise =
    budget === 'repo' && role === 'admin' ? (
      <Link to="/repos/$id" params={{ id }} hash="budget" className={buttonClass('primary')}>
        Raise the budget
      </Link>
    ) : budget !== 'repo' && isOperator ? (
      <Link to="/admin" hash="budgets" className={buttonClass('primary')}>
        Raise the budget
      </Link>
    ) : undefined;
  return (
    <Notice tone="warn" action={raise}>
      {heldWords(budget)}
    </Notice>
  );
}
