import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { visibleText } from '../format/visible-text.ts';
import { ImportView } from '../new-issue/import-view.tsx';
import { reposQuery } from '../session/queries.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';

const FROM = '/session/repos/$id/import';

export function ImportPage() {
  const { id } = useParams({ from: FROM });
  const { q = '' } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: '/repos/$id/import' });
  const repos = useQuery(reposQuery);
  const repo = repos.data?.find((one) => one.id === id);
  const search = (query: string | undefined) => void navigate({ search: { q: query }, replace: true });
  return (
    <Page title={repo === undefined ? 'Import issues' : `Import issues of ${visibleText(repo.name)}`}>
      {repos.isPending && <Loading what="the repository" />}
      {repos.isError && <ErrorNotice error={repos.error} onRetry={() => void repos.refetch()} />}
      {repos.data !== undefined && repo === undefined && (
        <EmptyState title="No such repository" action={<Link to="/repos">Go to the repositories</Link>}>
          It may have been removed, or it is another user's.
        </EmptyState>
      )}
      {repo !== undefined && repo.codehost_repo_id === null && (
        <EmptyState
          title="This repository is not at the code host"
          action={
            <Link to="/issues/new" search={{ repo: id }}>
              Write an issue instead
            </Link>
          }
        >
          It was added by its URL, so Sluice cannot read issues of it. Add it again from the code host to import them.
        </EmptyState>
      )}
      {repo !== undefined && repo.codehost_repo_id !== null && <ImportView repo={repo} q={q} onSearch={search} />}
    </Page>
  );
}
