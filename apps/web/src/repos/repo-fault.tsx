import { isSluiceError } from '@sluice/client';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Page } from '../ui/page.tsx';

/** Why a repository cannot be shown. */
export function RepoFault({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const toRepos = <Link to="/repos">Go to the repositories</Link>;
  if (isSluiceError(error) && error.status === 404) {
    return (
      <Page title="No such repository">
        <EmptyState title="There is no repository at this address" action={toRepos}>
          It has been removed, or the address is misspelt.
        </EmptyState>
      </Page>
    );
  }
  if (isSluiceError(error) && error.status === 403) {
    return (
      <Page title="Not your repository">
        <EmptyState title="This repository belongs to somebody else" action={toRepos}>
          Log in as the user who added it, or add it to your own.
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title="Repository">
      <ErrorNotice error={error} onRetry={onRetry} />
    </Page>
  );
}
