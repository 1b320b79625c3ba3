import { Link } from '@tanstack/react-router';
import { isMissingPart } from '../session/error-text.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Page } from '../ui/page.tsx';

/** A page that failed to draw or to load. A part that did not load is asked for again by another page alone. */
export function RouteFault({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  return (
    <Page title="This page failed">
      <ErrorNotice error={error} onRetry={isMissingPart(error) ? () => location.reload() : reset} />
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
