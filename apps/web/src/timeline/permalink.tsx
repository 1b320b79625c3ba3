import { useContext } from 'react';
import { IssueLink, issueHref } from '../events/issue-link.tsx';
import { formatDuration } from '../format/duration.ts';
import { formatExact } from '../format/relative-time.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { IsActiveRow, RowActionsContext } from './row-actions.ts';
import styles from './row-frame.module.css';

interface PermalinkProps {
  readonly seq: number;
  readonly at: string;
  /** The start of the stage: the time is then told from there. */
  readonly since?: string | undefined;
  /** The row has no other control: the focus comes here. */
  readonly isPrimary: boolean;
}

/** When something happened, as the link to it, with a button that copies the link. */
export function Permalink({ seq, at, since, isPrimary }: PermalinkProps) {
  const { issueId } = useContext(RowActionsContext);
  const tabIndex = useContext(IsActiveRow) ? 0 : -1;
  const to = { view: 'activity', event: seq } as const;
  return (
    <span className={styles.permalink}>
      <CopyButton
        text={() => new URL(issueHref(issueId, to), location.href).href}
        label={`Copy the link to event ${seq}`}
        tabIndex={tabIndex}
      />
      <IssueLink
        issueId={issueId}
        to={to}
        data-primary={isPrimary ? '' : undefined}
        tabIndex={tabIndex}
        className={styles.time}
        title={since === undefined ? undefined : formatExact(new Date(at))}
      >
        {since === undefined ? <RelativeTime at={at} /> : `+${formatDuration(Date.parse(at) - Date.parse(since))}`}
      </IssueLink>
    </span>
  );
}
