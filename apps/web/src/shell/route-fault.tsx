import { Link } from '@tanstack/react-router';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Page } from '../ui/page.tsx';

/** A page that failed to draw or to load. */
export function RouteFault({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  return (
    <Page title="This page failed">
      <ErrorNotice error={error} onRetry={reset} />
    </Page>
  );
}

export function UnknownPage() {
  return (
    <Page title="No such page">
      <EmptyState title="There is nothing at this address" action={<Link to="/issues">Go to the inbox</Link>}>
        It may be misspelt, or what it showed has been deleted.
      </EmptyState>
    </Page>
  );
}
