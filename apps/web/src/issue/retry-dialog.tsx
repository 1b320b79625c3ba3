import type { Issue } from '@sluice/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { stageName } from '../format/issue-words.ts';
import { client } from '../session/client.ts';
import { issueQuery } from '../session/issue-queries.ts';
import { queryKeys } from '../session/query-keys.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { limitsToRaise, raisedBudget } from './raised-budget.ts';

/** Retries a failed issue, with a higher budget where the old one is used up. */
export function RetryDialog({ issue, onClose }: { readonly issue: Issue; readonly onClose: () => void }) {
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
