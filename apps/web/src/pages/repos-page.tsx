import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { RepoList } from '../repos/repo-list.tsx';
import { reposQuery } from '../session/queries.ts';
import { AddressSearch } from '../ui/address-search.tsx';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';

export function ReposPage() {
  const { q = '' } = useSearch({ from: '/session/repos' });
  const navigate = useNavigate();
  const { data: repos, error, refetch } = useQuery({ ...reposQuery, staleTime: 0 });
  const add = (
    <Link to="/repos/new" className={buttonClass('primary')}>
      Add a repository
    </Link>
  );
  const needle = q.trim().toLowerCase();
  const found = repos?.filter(({ name, url }) => `${name} ${url}`.toLowerCase().includes(needle)) ?? [];
  return (
    <Page title="Repositories" actions={repos?.length === 0 ? undefined : add}>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {repos === undefined && error === null && <Loading what="your repositories" />}
      {repos?.length === 0 && (
        <EmptyState title="No repository yet" action={add}>
          Add the repository that your first issue is about. Sluice works on a copy of its own; nothing is pushed before
          you have approved a plan.
        </EmptyState>
      )}
      {repos !== undefined && repos.length > 0 && (
        <>
          <AddressSearch
            label="Search by name or address"
            q={q}
            onSearch={(text) => void navigate({ to: '/repos', search: { q: text }, replace: true })}
          />
          {found.length > 0 ? <RepoList repos={found} /> : <p role="status">No repository matches this search.</p>}
        </>
      )}
    </Page>
  );
}
