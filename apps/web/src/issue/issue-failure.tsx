import type { Issue } from '@sluice/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCommand } from '../commands/use-command.ts';
import { stageName } from '../format/issue-words.ts';
import { visibleText } from '../format/visible-text.ts';
import { useRights } from '../members/use-rights.ts';
import { client } from '../session/client.ts';
import { issueQuery } from '../session/issue-queries.ts';
import { repoQuery, serverQuery } from '../session/queries.ts';
import { queryKeys } from '../session/query-keys.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { failureAdvice, isFixedInSettings } from './failure-advice.ts';
import styles from './issue-result.module.css';
import { limitsToRaise, raisedBudget } from './raised-budget.ts';

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

/** Retries a failed issue, with a higher budget where the old one is used up. */
function RetryDialog({ issue, onClose }: { readonly issue: Issue; readonly onClose: () => void }) {
  const { id, error, stage } = issue;
  const queries = useQueryClient();
  const limits = limitsToRaise(issue.budget);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const budget = raisedBudget(limits, typed);
  const retry = useMutation({
    mutationFn: () => client.issues.retry.mutate({ id, ...(limits.length === 0 || budget === null ? {} : { budget }) }),
    onSuccess: (next) => {
      queries.setQueryData(issueQuery(id).queryKey, next);
      onClose();
    },
    onError: () => void queries.invalidateQueries({ queryKey: queryKeys.issue(id) }),
  });
  const from = stageName(error?.stage ?? stage);
  return (
    <ConfirmDialog
      title="Retry this issue?"
      isOpen
      onClose={onClose}
      confirm="Retry"
      busy={retry.isPending}
      error={retry.error}
      onConfirm={() => budget !== null && retry.mutate()}
    >
      <p>
        It is queued again{from === null ? '' : ` and goes on at ${from}`}, with the results of the stages before. If
        the commands of the repository have changed since, it is prepared again; an approved plan stays approved.
      </p>
      {limits.map(({ name, label, suggestion, spent }) => (
        <TextField
          key={name}
          label={label}
          hint={`${spent} used: the limit has to be higher.`}
          inputMode="decimal"
          value={typed[name] ?? String(suggestion)}
          error={budget === null ? 'Enter a number above what is used.' : undefined}
          onChange={({ target: { value } }) => setTyped({ ...typed, [name]: value })}
        />
      ))}
    </ConfirmDialog>
  );
}
