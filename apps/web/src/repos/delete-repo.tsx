import { isSluiceError, type Repo } from '@sluice/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { visibleText } from '../format/visible-text.ts';
import { client } from '../session/client.ts';
import { repoQuery, reposQuery } from '../session/queries.ts';
import { queryKeys } from '../session/query-keys.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Notice } from '../ui/notice.tsx';

/** Removes a repository with its issues, after a question. */
export function DeleteRepo({ repo }: { readonly repo: Repo }) {
  const [isAsking, setIsAsking] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => client.repos.delete.mutate({ id: repo.id }),
    onSuccess: async () => {
      await navigate({ to: '/repos', ignoreBlocker: true });
      queries.removeQueries({ queryKey: repoQuery(repo.id).queryKey });
      void queries.invalidateQueries({ queryKey: reposQuery.queryKey });
      void queries.invalidateQueries({ queryKey: queryKeys.inbox });
    },
  });
  const close = () => {
    setIsAsking(false);
    remove.reset();
  };
  return (
    <>
      <div>
        <Button tone="danger" onClick={() => setIsAsking(true)}>
          Remove this repository…
        </Button>
      </div>
      <ConfirmDialog
        title="Remove this repository?"
        isOpen={isAsking}
        onClose={close}
        confirm="Remove it and its issues"
        tone="danger"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>
          <strong>
            <bdi>{visibleText(repo.name)}</bdi>
          </strong>{' '}
          is removed from Sluice with all its issues, their plans and their logs. The repository itself, and the
          branches and pull requests there, stay.
        </p>
        {remove.isError && <RemovalFault error={remove.error} />}
      </ConfirmDialog>
    </>
  );
}

function RemovalFault({ error }: { readonly error: unknown }) {
  if (!isSluiceError(error, 'repo_has_active_issue')) return <ErrorNotice error={error} />;
  const issueId = error.body.active_issue_id;
  return (
    <Notice
      tone="bad"
      action={
        typeof issueId === 'string' && (
          <Link to="/issues/$id" params={{ id: issueId }}>
            Open the issue
          </Link>
        )
      }
    >
      An issue is in progress on this repository. Cancel it, or wait until it has ended; then remove the repository.
    </Notice>
  );
}
