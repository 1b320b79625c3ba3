import { isSluiceError } from '@sluice/client';
import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { Page } from './page.tsx';

interface ResourceFaultProps {
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly name: 'issue' | 'repository';
  /** What to do when it belongs to somebody else. */
  readonly theirs: string;
  /** Leads to the list: trying again does not help with what is gone, or somebody else's. */
  readonly back: ReactNode;
}

/** The page of an issue or a repository that cannot be shown. */
export function ResourceFault({ error, onRetry, name, theirs, back }: ResourceFaultProps) {
  const status = isSluiceError(error) ? error.status : null;
  if (status === 404) {
    return (
      <Page title={`No such ${name}`}>
        <EmptyState title={`There is no ${name} at this address`} action={back}>
          It has been deleted, or the address is misspelt.
        </EmptyState>
      </Page>
    );
  }
  if (status === 403) {
    return (
      <Page title={`Not your ${name}`}>
        <EmptyState title={`This ${name} belongs to somebody else`} action={back}>
          {theirs}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title={name === 'issue' ? 'Issue' : 'Repository'}>
      <ErrorNotice error={error} onRetry={onRetry} />
    </Page>
  );
}
