import type { Issue } from '@sluice/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCommand } from '../commands/use-command.ts';
import { hasEnded } from '../format/has-ended.ts';
import { useRights } from '../members/use-rights.ts';
import { client } from '../session/client.ts';
import { queryKeys } from '../session/query-keys.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Menu } from '../ui/menu.tsx';
import styles from './issue-actions.module.css';
import { type IssueFile, issueFiles } from './issue-files.ts';
import { cancelWords } from './issue-sentence.ts';
import { useDownload } from './use-download.ts';

type Asked = 'cancel' | 'delete' | null;

/** What one can do with an issue as a whole: run, cancel, delete, and take its files away. */
export function IssueActions({ issue }: { readonly issue: Issue }) {
  const { id, status, queued_at: queued, waits_for_repo: waits } = issue;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [pending, setPending] = useState<Asked>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: queryKeys.issue(id) });
  const run = useMutation({
    mutationFn: () => client.issues.run.mutate({ id, queue: true }),
    onSettled: refresh,
  });
  const start = () => {
    if (!run.isPending) run.mutate();
  };
  const cancel = useMutation({
    mutationFn: () => client.issues.cancel.mutate({ id }),
    onSuccess: () => setPending(null),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: () => client.issues.delete.mutate({ id }),
    onSuccess: async () => {
      void queries.invalidateQueries({ queryKey: queryKeys.inbox });
      await navigate({ to: '/issues' });
      queries.removeQueries({ queryKey: queryKeys.issue(id) });
    },
    onError: refresh,
  });
  const download = useDownload(issue);
  const may = useRights(issue);
  const canRun = status === 'pending' && queued === null && !waits && may('manage');
  const isEnded = hasEnded(status);
  const canCancel = !isEnded && may('manage');
  const canDelete = isEnded && may('delete');
  const ask = (what: Asked) => {
    cancel.reset();
    remove.reset();
    setPending(what);
  };
  useCommand({ id: 'issue-run', label: 'Run this issue', group: 'Issue', keys: 's', run: start }, canRun);
  useCommand(
    { id: 'issue-cancel', label: 'Cancel this issue', group: 'Issue', keys: 'x', run: () => ask('cancel') },
    canCancel,
  );
  useCommand(
    { id: 'issue-delete', label: 'Delete this issue permanently', group: 'Issue', run: () => ask('delete') },
    canDelete,
  );
  useDownloadCommands((file) => download.mutate(file));
  return (
    <>
      {canRun && (
        <Button tone="primary" aria-keyshortcuts="s" busy={run.isPending} onClick={start}>
          Run
        </Button>
      )}
      {canCancel && (
        <Button aria-keyshortcuts="x" onClick={() => ask('cancel')}>
          Cancel the issue
        </Button>
      )}
      <Menu
        label={download.isPending ? 'Reading…' : 'More'}
        actions={[
          ...files.map((file) => ({ label: issueFiles[file].label, run: () => download.mutate(file) })),
          ...(canDelete ? [{ label: 'Delete permanently', tone: 'danger' as const, run: () => ask('delete') }] : []),
        ]}
      />
      {(run.error ?? download.error) !== null && (
        <div className={styles.error}>
          <ErrorNotice error={run.error ?? download.error} />
        </div>
      )}
      <ConfirmDialog
        title="Cancel this issue?"
        isOpen={pending === 'cancel'}
        onClose={() => setPending(null)}
        confirm="Cancel the issue"
        tone="danger"
        busy={cancel.isPending}
        error={cancel.error}
        onConfirm={() => cancel.mutate()}
      >
        <p>{cancelWords(issue)}</p>
      </ConfirmDialog>
      <ConfirmDialog
        title="Delete this issue permanently?"
        isOpen={pending === 'delete'}
        onClose={() => setPending(null)}
        confirm="Delete it"
        tone="danger"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        <p>
          Its text, plan, history, log and patch are gone for good. A branch or a pull request that was published stays
          at its remote.
        </p>
      </ConfirmDialog>
    </>
  );
}

const files = Object.keys(issueFiles) as readonly IssueFile[];

function useDownloadCommands(run: (file: IssueFile) => void): void {
  useCommand({ id: 'issue-patch', label: issueFiles.patch.label, group: 'Issue', run: () => run('patch') });
  useCommand({ id: 'issue-log', label: issueFiles.log.label, group: 'Issue', run: () => run('log') });
  useCommand({ id: 'issue-history', label: issueFiles.history.label, group: 'Issue', run: () => run('history') });
}
