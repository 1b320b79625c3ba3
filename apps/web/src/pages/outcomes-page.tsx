import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { ComparisonSection } from '../outcomes/comparison-section.tsx';
import { FateSection, ReasonsSection } from '../outcomes/fate-section.tsx';
import { OutcomeFilters } from '../outcomes/outcome-filters.tsx';
import { outcomesQuestion } from '../outcomes/outcomes-question.ts';
import { client } from '../session/client.ts';
import type { OutcomesSearch } from '../session/search-params.ts';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';

/** What became of the pull requests. */
export function OutcomesPage() {
  const search = useSearch({ from: '/session/outcomes' });
  const { data: outcomes, error, refetch } = useQuery(outcomesQuery(search));
  const isEmpty = outcomes?.total.opened === 0;
  const csv = new URLSearchParams(outcomesQuestion(search, new Date()) as Record<string, string>);
  return (
    <Page
      title="Outcomes"
      actions={
        outcomes !== undefined &&
        !isEmpty && (
          <a href={`/api/outcomes?${csv}`} download="outcomes.csv" className={buttonClass()}>
            Download as CSV
          </a>
        )
      }
    >
      <OutcomeFilters search={search} />
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {outcomes === undefined && error === null && <Loading what="the outcomes" />}
      {isEmpty && (
        <EmptyState title="No pull request was opened" action={<Link to="/issues">Go to the inbox</Link>}>
          What becomes of pull requests that your issues open is counted here: merged, closed or reverted, how fast, and
          at what cost.
        </EmptyState>
      )}
      {outcomes !== undefined && !isEmpty && (
        <>
          <FateSection figures={outcomes.total} />
          <ComparisonSection outcomes={outcomes} />
          <ReasonsSection figures={outcomes.total} />
        </>
      )}
    </Page>
  );
}

function outcomesQuery(search: OutcomesSearch) {
  return queryOptions({
    queryKey: ['outcomes', search],
    queryFn: ({ signal }) => client.outcomes.read.query(outcomesQuestion(search, new Date()), { signal }),
    placeholderData: keepPreviousData,
  });
}
