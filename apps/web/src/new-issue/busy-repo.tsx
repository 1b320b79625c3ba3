import type { SluiceError } from '@sluice/client';
import { Link } from '@tanstack/react-router';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

interface BusyRepoProps {
  readonly error: SluiceError;
  readonly onQueue: () => void;
}

/** Another issue holds the repository: the new one can wait for it. */
export function BusyRepo({ error, onQueue }: BusyRepoProps) {
  const active = error.body.active_issue_id;
  return (
    <Notice
      tone="warn"
      action={
        <Button tone="primary" onClick={onQueue}>
          Queue it
        </Button>
      }
    >
      Another issue is in progress on this repository, and each repository has one at a time. Queue yours: it starts by
      itself when that one has ended.
      {typeof active === 'string' && (
        <>
          {' '}
          <Link to="/issues/$id" params={{ id: active }}>
            See the issue in progress
          </Link>
        </>
      )}
    </Notice>
  );
}
