import { isSluiceError, type Repo } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { byteLength, formatBytes } from '../format/bytes.ts';
import { visibleText } from '../format/visible-text.ts';
import type { client } from '../session/client.ts';
import { fieldErrors } from '../session/error-text.ts';
import { serverQuery } from '../session/queries.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { CheckField, TextField } from '../ui/field.tsx';
import { BusyRepo } from './busy-repo.tsx';
import { type CreateRequest, type Draft, isUntouched, labelsOf } from './draft.ts';
import { MarkdownField } from './markdown-field.tsx';
import styles from './new-issue-form.module.css';
import { RepoPicker } from './repo-picker.tsx';
import { Templates } from './templates.tsx';
import { useCreateIssue } from './use-create-issue.ts';
import { useDraft } from './use-draft.ts';
import { WritingHelp } from './writing-help.tsx';

interface NewIssueFormProps {
  readonly repos: readonly Repo[];
  /** The repository that the address names. */
  readonly repoId?: string | undefined;
  /** The name of the template that the address names. */
  readonly template?: string | undefined;
}

export function NewIssueForm({ repos, repoId, template }: NewIssueFormProps) {
  const { draft, change, discard } = useDraft((kept) => {
    const initial = repoId === undefined ? kept : { ...kept, repoId };
    const templates = repos.find(({ id }) => id === initial.repoId)?.settings.issue_templates ?? [];
    const named = templates.find(({ name }) => name === template);
    return named === undefined || !isUntouched(kept, templates)
      ? initial
      : { ...initial, title: named.title, body: named.body };
  });
  const create = useCreateIssue({ change, discard });
  const limits = useQuery(serverQuery).data?.details?.limits;
  const [tries, setTries] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const repo = repos.find(({ id }) => id === draft.repoId) ?? (repos.length === 1 ? repos[0] : undefined);

  const own = faultsOf(draft, { repo, isTried: tries > 0 });
  const tooMany = excessOf(draft, limits);
  const server = fieldErrors(create.error);
  const errorOf: InputProps['errorOf'] = (field) => own[field] ?? tooMany[field] ?? server[field];
  const isFaulty = Object.values(own).some(Boolean) || Object.values(tooMany).some(Boolean);

  const submit = (changes: Partial<Draft> = {}) => {
    setTries((times) => times + 1);
    if (create.isPending || repo === undefined || draft.title.trim() === '' || isFaulty) return;
    change(changes);
    create.mutate({ ...draft, ...changes, repoId: repo.id });
  };
  const { error } = create;
  // The focus goes to the first field that is wrong: after each try, and after the server's answer to it.
  useEffect(() => {
    if (tries > 0 || error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries, error]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  const busy = isSluiceError(error, 'repo_busy') ? error : null;

  return (
    <form ref={form} className={styles.form} onSubmit={onSubmit} onKeyDown={onKeyDown} noValidate>
      {Object.entries(inputs).map(([field, Input]) => (
        <Input key={field} draft={draft} change={change} repos={repos} repo={repo} limits={limits} errorOf={errorOf} />
      ))}
      {busy !== null && <BusyRepo error={busy} onQueue={() => submit({ isQueued: true })} />}
      {create.isError && busy === null && <ErrorNotice error={create.error} />}
      <div className={styles.actions}>
        <Button type="submit" tone="primary" busy={create.isPending} aria-keyshortcuts="Control+Enter">
          Create the issue
        </Button>
        <span className={styles.hint}>or Ctrl+Enter</span>
        {(draft.title !== '' || draft.body !== '') && (
          <Button tone="quiet" onClick={discard}>
            Discard the draft
          </Button>
        )}
      </div>
    </form>
  );
}

interface InputProps {
  readonly draft: Draft;
  readonly change: ReturnType<typeof useDraft>['change'];
  readonly repos: readonly Repo[];
  readonly repo: Repo | undefined;
  readonly limits: Limits | undefined;
  readonly errorOf: (field: keyof CreateRequest) => string | undefined;
}

type Limits = NonNullable<Awaited<ReturnType<typeof client.server.get.query>>['details']>['limits'];

/** The controls in their order, by the field of the request that each gives. */
const inputs: Readonly<Record<keyof CreateRequest, (props: InputProps) => ReactNode>> = {
  repo_id: ({ draft, change, repos, repo, errorOf }) => (
    <>
      <RepoPicker
        repos={repos}
        chosen={repo}
        error={errorOf('repo_id')}
        onChoose={({ id }) => change({ repoId: id })}
      />
      <Templates repo={repo} draft={draft} onChoose={change} />
    </>
  ),
  title: ({ draft, change, limits, errorOf }) => (
    <TextField
      label="Title"
      dir="auto"
      required
      value={draft.title}
      onChange={({ target }) => change({ title: target.value })}
      hint={limits && `${[...draft.title].length} of ${limits.title_characters} characters`}
      error={errorOf('title')}
    />
  ),
  body: ({ draft, change, limits, errorOf }) => (
    <>
      <MarkdownField
        label="Description"
        value={draft.body}
        onChange={(body) => change({ body })}
        hint={`Markdown${limits ? `, ${formatBytes(byteLength(draft.body))} of ${formatBytes(limits.issue_body_bytes)}` : ''}`}
        error={errorOf('body')}
      />
      <WritingHelp
        onInsert={(example) => change({ body: draft.body === '' ? example : `${draft.body}\n\n${example}` })}
      />
    </>
  ),
  base_branch: ({ draft, change, repo, errorOf }) => (
    <div className={styles.half}>
      <TextField
        label="Base branch"
        value={draft.baseBranch}
        placeholder={repo && visibleText(repo.default_branch)}
        onChange={({ target }) => change({ baseBranch: target.value })}
        hint="Where the change begins. Empty: the default branch."
        error={errorOf('base_branch')}
      />
    </div>
  ),
  labels: ({ draft, change, errorOf }) => (
    <div className={styles.half}>
      <TextField
        label="Labels"
        value={draft.labels}
        onChange={({ target }) => change({ labels: target.value })}
        hint="Separated by commas. May stay empty."
        error={errorOf('labels')}
      />
    </div>
  ),
  queue: ({ draft, change }) => (
    <CheckField
      label="Wait when the repository is busy"
      checked={draft.isQueued}
      onChange={({ target }) => change({ isQueued: target.checked })}
      hint="A repository has one issue in progress at a time. Without this, the issue is refused while another one is."
    />
  ),
};

type Faults = { readonly [Field in keyof CreateRequest]?: string | undefined };

/** The fields that are larger than the server takes. */
function excessOf(draft: Draft, limits: Limits | undefined): Faults {
  if (limits === undefined) return {};
  const { title_characters: characters, issue_body_bytes: bytes, labels } = limits;
  return {
    title: [...draft.title].length > characters ? `At most ${characters} characters.` : undefined,
    body: byteLength(draft.body) > bytes ? `At most ${formatBytes(bytes)}.` : undefined,
    labels: labelsOf(draft).length > labels ? `At most ${labels} labels.` : undefined,
  };
}

function faultsOf({ title }: Draft, { repo, isTried }: { repo: Repo | undefined; isTried: boolean }): Faults {
  return {
    repo_id: isTried && repo === undefined ? 'Choose the repository that the issue is about.' : undefined,
    title: isTried && title.trim() === '' ? 'Say in a few words what is wrong or wanted.' : undefined,
  };
}
