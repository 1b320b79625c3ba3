import { Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isConnectionFault, isMissingPart } from '../session/error-text.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Page } from '../ui/page.tsx';

const AGAIN_MS = 5_000; // for a server that restarts; a person presses the button sooner

/**
 * A page that failed to draw or to load. One that needs the server is tried again until the server is back: no stream tells
 * it so. A part that did not load is asked for again by another page alone.
 */
export function RouteFault({ error }: { readonly error: unknown }) {
  const router = useRouter();
  const isWaiting = isConnectionFault(error);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => void router.invalidate(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [isWaiting, router]);
  const retry = isMissingPart(error) ? () => location.reload() : () => void router.invalidate();
  return (
    <Page title="This page failed">
      <ErrorNotice error={error} onRetry={retry} />
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
