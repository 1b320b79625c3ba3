import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { NoRepository } from '../inbox/first-steps.tsx';
import { NewIssueForm } from '../new-issue/new-issue-form.tsx';
import { reposQuery } from '../session/queries.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';

export function NewIssuePage() {
  const { repo, template } = useSearch({ from: '/session/issues/new' });
  const repos = useQuery(reposQuery);
  return (
    <Page title="New issue">
      {repos.isPending && <Loading what="repositories" />}
      {repos.isError && <ErrorNotice error={repos.error} onRetry={() => void repos.refetch()} />}
      {repos.data?.length === 0 && <NoRepository />}
      {repos.data !== undefined && repos.data.length > 0 && (
        <NewIssueForm repos={repos.data} repoId={repo} template={template} />
      )}
    </Page>
  );
}
