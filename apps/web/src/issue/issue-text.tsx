import type { Issue, SluiceClient } from '@sluice/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { IssueAttachments } from '../attachments/issue-attachments.tsx';
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
      {isOpen && <IssueAttachments issueId={issue.id} />}
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
  const [fields, setFields] = useState<Edited>({ title: issue.title, body: issue.body });
  const save = useMutation({
    mutationFn: () => client.issues.update.mutate({ id, ...fields }),
    onSuccess: (next) => {
      queries.setQueryData(issueQuery(id).queryKey, next);
      onClose();
    },
    onError: () => void queries.invalidateQueries({ queryKey: queryKeys.issue(id) }),
  });
  const errors = fieldErrors(save.error);
  const limits = server.data?.details?.limits;
  return (
    <form
      className={styles.form}
      aria-label="Edit this issue"
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) save.mutate();
      }}
    >
      {Object.entries(inputs).map(([field, Input]) => (
        <Input
          key={field}
          fields={fields}
          maxTitle={limits?.title_characters}
          error={errors[field]}
          onChange={(changes) => setFields((before) => ({ ...before, ...changes }))}
        />
      ))}
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

type Edited = Required<Omit<Parameters<SluiceClient['issues']['update']['mutate']>[0], 'id'>>;

interface InputProps {
  readonly fields: Edited;
  readonly maxTitle: number | undefined;
  readonly error: string | undefined;
  readonly onChange: (changes: Partial<Edited>) => void;
}

/** The controls in their order, by the field that each edits. */
const inputs: Readonly<Record<keyof Edited, (props: InputProps) => ReactNode>> = {
  title: ({ fields, maxTitle, error, onChange }) => (
    <TextField
      label="Title"
      required
      autoFocus
      dir="auto"
      maxLength={maxTitle}
      error={error}
      value={fields.title}
      onChange={({ target: { value } }) => onChange({ title: value })}
    />
  ),
  body: ({ fields, error, onChange }) => (
    <TextArea
      label="Description"
      hint="Markdown."
      rows={10}
      dir="auto"
      error={error}
      value={fields.body}
      onChange={({ target: { value } }) => onChange({ body: value })}
    />
  ),
};
