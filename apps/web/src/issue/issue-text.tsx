import type { Issue } from '@sluice/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useCommand } from '../commands/use-command.ts';
import { LazyMarkdown } from '../markdown/lazy-markdown.tsx';
import { client } from '../session/client.ts';
import { fieldErrors } from '../session/error-text.ts';
import { issueQuery } from '../session/issue-queries.ts';
import { serverQuery } from '../session/queries.ts';
import { queryKeys } from '../session/query-keys.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { TextArea, TextField } from '../ui/field.tsx';
import styles from './issue-text.module.css';

/** The text of an issue: folded once work has begun, and to be edited before. */
export function IssueText({ issue }: { readonly issue: Issue }) {
  const { status, queued_at: queued, body } = issue;
  const isEditable = status === 'pending' && queued === null;
  const [isEditing, setEditing] = useState(false);
  const [isOpen, setOpen] = useState(status === 'pending');
  useCommand(
    { id: 'issue-edit', label: 'Edit this issue', group: 'Issue', keys: 'e', run: () => setEditing(true) },
    isEditable,
  );
  if (isEditing) return <EditIssue issue={issue} onClose={() => setEditing(false)} />;
  return (
    <details className={styles.text} open={isOpen} onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary>
        <h2>The issue</h2>
      </summary>
      {isOpen &&
        (body.trim() === '' ? (
          <p className={styles.none}>It has a title and no description.</p>
        ) : (
          <LazyMarkdown text={body} />
        ))}
      {isEditable && (
        <Button className={styles.edit} aria-keyshortcuts="e" onClick={() => setEditing(true)}>
          Edit
        </Button>
      )}
    </details>
  );
}

function EditIssue({ issue, onClose }: { readonly issue: Issue; readonly onClose: () => void }) {
  const { id } = issue;
  const queries = useQueryClient();
  const server = useQuery(serverQuery);
  const [title, setTitle] = useState(issue.title);
  const [body, setBody] = useState(issue.body);
  const save = useMutation({
    mutationFn: () => client.issues.update.mutate({ id, title, body }),
    onSuccess: (next) => {
      queries.setQueryData(issueQuery(id).queryKey, next);
      onClose();
    },
    onError: () => void queries.invalidateQueries({ queryKey: queryKeys.issue(id) }),
  });
  const errors = fieldErrors(save.error);
  return (
    <form
      className={styles.form}
      aria-label="Edit this issue"
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) save.mutate();
      }}
    >
      <TextField
        label="Title"
        required
        autoFocus
        dir="auto"
        maxLength={server.data?.details?.limits.title_characters}
        error={errors.title}
        value={title}
        onChange={({ target: { value } }) => setTitle(value)}
      />
      <TextArea
        label="Description"
        hint="Markdown."
        rows={10}
        dir="auto"
        error={errors.body}
        value={body}
        onChange={({ target: { value } }) => setBody(value)}
      />
      {save.isError && Object.keys(errors).length === 0 && <ErrorNotice error={save.error} />}
      <div className={styles.row}>
        <Button onClick={onClose}>Discard the changes</Button>
        <Button type="submit" tone="primary" busy={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
