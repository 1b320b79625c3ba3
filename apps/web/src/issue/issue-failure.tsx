import type { Issue } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCommand } from '../commands/use-command.ts';
import { visibleText } from '../format/visible-text.ts';
import { useRights } from '../members/use-rights.ts';
import { repoQuery, serverQuery } from '../session/queries.ts';
import { Button } from '../ui/button.tsx';
import { failureAdvice, isFixedInSettings } from './failure-advice.ts';
import styles from './issue-result.module.css';
import { RetryDialog } from './retry-dialog.tsx';

/** Why an issue failed, in the server's words, and what to do now. */
export function IssueFailure({ issue }: { readonly issue: Issue }) {
  const { id, repo_id: repoId, error } = issue;
  const mayRetry = useRights(issue)('manage');
  const repo = useQuery(repoQuery(repoId)).data;
  const mayConfigure = repo === undefined || repo.role === 'admin'; // until it is read: the page of the repository decides
  const isBuiltin = useQuery(serverQuery).data?.details?.models.implement.builtin ?? false;
  const [isAsking, setAsking] = useState(false);
  const ask = () => setAsking(true);
  useCommand({ id: 'issue-retry', label: 'Retry this issue', group: 'Issue', keys: 's', run: ask }, mayRetry);
  return (
    <section className={styles.failure} aria-label="Failure">
      {error !== null && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by the keyboard too
        <section className={styles.detail} aria-label="The error in full" tabIndex={0}>
          <pre dir="auto">{visibleText(error.detail)}</pre>
        </section>
      )}
      <p>
        <strong>What to do:</strong> {failureAdvice(issue, isBuiltin)}
      </p>
      <div className={styles.ways}>
        {mayRetry && (
          <Button tone="primary" aria-keyshortcuts="s" onClick={ask}>
            Retry
          </Button>
        )}
        <Link to="/issues/$id" params={{ id }} search={{ view: 'log' }}>
          Read the log
        </Link>
        {mayConfigure && isFixedInSettings(issue) && (
          <Link to="/repos/$id" params={{ id: repoId }} hash="settings">
            Settings of the repository
          </Link>
        )}
      </div>
      {isAsking && <RetryDialog issue={issue} onClose={() => setAsking(false)} />}
    </section>
  );
}
