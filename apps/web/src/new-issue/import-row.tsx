import { Link } from '@tanstack/react-router';
import { memo, useId } from 'react';
import { visibleText } from '../format/visible-text.ts';
import { Badge } from '../ui/badge.tsx';
import { OutsideLink } from '../ui/outside-link.tsx';
import { RelativeTime } from '../ui/time.tsx';
import type { HostedIssue } from './hosted-issues-query.ts';
import styles from './import-row.module.css';
import type { ImportState } from './import-run.ts';

interface ImportRowProps {
  readonly issue: HostedIssue;
  readonly state: ImportState | undefined;
  readonly isChosen: boolean;
  readonly onToggle: (number: number, isOn: boolean) => void;
}

const UNTRUSTED =
  'The author cannot write to the repository. Agents read the text, but what it asks for is judged with the plan.';

/** An issue at the code host: to be chosen, or where it went. */
export const ImportRow = memo(function ImportRow({ issue, state, isChosen, onToggle }: ImportRowProps) {
  const id = useId();
  const importedId =
    issue.imported_issue_id ?? (state?.kind === 'imported' || state?.kind === 'failed' ? state.issueId : null);
  const isFree = importedId === null && (state === undefined || state.kind === 'failed');
  return (
    <li className={styles.row}>
      <input
        type="checkbox"
        id={id}
        className={styles.check}
        checked={isChosen}
        disabled={!isFree}
        onChange={({ target }) => onToggle(issue.number, target.checked)}
      />
      <label htmlFor={id} className={styles.title} dir="auto">
        <span className={styles.number}>{`#${issue.number}`}</span> {visibleText(issue.title)}
      </label>
      <span className={styles.about}>
        <span>
          by <bdi>{visibleText(issue.author)}</bdi>, <RelativeTime at={issue.updated_at} />
        </span>
        {!issue.author_can_write && (
          <Badge tone="warn" title={UNTRUSTED}>
            no write access
          </Badge>
        )}
        {issue.labels.map((label) => (
          <Badge key={label}>{visibleText(label)}</Badge>
        ))}
      </span>
      <span className={styles.state}>
        {state?.kind === 'waiting' && 'waits'}
        {state?.kind === 'running' && 'importing…'}
        {importedId !== null && (
          <Link to="/issues/$id" params={{ id: importedId }}>
            imported
          </Link>
        )}
        {importedId === null && <OutsideLink href={issue.url}>at the code host</OutsideLink>}
      </span>
      {state?.kind === 'failed' && <p className={styles.reason}>{state.reason}</p>}
    </li>
  );
});
