import { isSluiceError } from '@sluice/client';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Page } from '../ui/page.tsx';

/** Why an issue cannot be shown. */
export function IssueFault({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const toInbox = <Link to="/issues">Go to the inbox</Link>;
  if (isSluiceError(error) && error.status === 404) {
    return (
      <Page title="No such issue">
        <EmptyState title="There is no issue at this address" action={toInbox}>
          It has been deleted, or the address is misspelt.
        </EmptyState>
      </Page>
    );
  }
  if (isSluiceError(error) && error.status === 403) {
    return (
      <Page title="Not your issue">
        <EmptyState title="This issue belongs to somebody else" action={toInbox}>
          Log in as the user who created it, or ask them.
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title="Issue">
      <ErrorNotice error={error} onRetry={onRetry} />
    </Page>
  );
}
