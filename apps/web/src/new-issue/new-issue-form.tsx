import { isSluiceError, type Repo, type SluiceError } from '@sluice/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { AttachmentsField } from '../attachments/attachments-field.tsx';
import { type Uploads, useUploads } from '../attachments/use-uploads.ts';
import { tabStorage } from '../browser/page-storage.ts';
import { byteLength, formatBytes } from '../format/bytes.ts';
import { visibleText } from '../format/visible-text.ts';
import { client } from '../session/client.ts';
import { fieldErrors } from '../session/error-text.ts';
import { attemptOf } from '../session/idempotency-key.ts';
import { profileQuery, serverQuery } from '../session/queries.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { CheckField, TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import {
  type CreateRequest,
  type Draft,
  emptyDraft,
  isUntouched,
  keepDraft,
  keptDraft,
  labelsOf,
  type Template,
  toRequest,
} from './draft.ts';
import { MarkdownField } from './markdown-field.tsx';
import styles from './new-issue-form.module.css';
import { RepoPicker } from './repo-picker.tsx';
import { WritingHelp } from './writing-help.tsx';

interface NewIssueFormProps {
  readonly repos: readonly Repo[];
  /** The repository that the address names. */
  readonly repoId?: string | undefined;
  /** The name of the template that the address names. */
  readonly template?: string | undefined;
}

export function NewIssueForm({ repos, repoId, template }: NewIssueFormProps) {
  const { draft, change, discard, latest } = useDraft((kept) => {
    const initial = repoId === undefined ? kept : { ...kept, repoId };
    const templates = repos.find(({ id }) => id === initial.repoId)?.settings.issue_templates ?? [];
    const named = templates.find(({ name }) => name === template);
    return named === undefined || !isUntouched(kept, templates)
      ? initial
      : { ...initial, title: named.title, body: named.body };
  });
  const create = useCreateIssue({ change, discard });
  const uploads = useUploads(
    () => latest().attachments,
    (attachments) => change({ attachments }),
  );
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
    if (create.isPending || uploads.isUploading || repo === undefined || draft.title.trim() === '' || isFaulty) return;
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
    <form ref={form} className={styles.form} onSubmit={onSubmit} onKeyDown={onKeyDown} {...uploads.handlers} noValidate>
      {Object.entries(inputs).map(([field, Input]) => (
        <Input key={field} {...{ draft, change, repos, repo, limits, uploads, errorOf }} />
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
  readonly uploads: Uploads;
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
  attachments: ({ draft, uploads, errorOf }) => (
    <AttachmentsField value={draft.attachments} uploads={uploads} error={errorOf('attachments')} />
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

interface BusyRepoProps {
  readonly error: SluiceError;
  readonly onQueue: () => void;
}

/** Another issue holds the repository: the new one can wait for it. */
function BusyRepo({ error, onQueue }: BusyRepoProps) {
  const active = error.body.active_issue_id;
  return (
    <Notice
      tone="warn"
      action={
        <Button tone="primary" onClick={onQueue}>
          Queue it
        </Button>
      }
    >
      Another issue is in progress on this repository, and each repository has one at a time. Queue yours: it starts by
      itself when that one has ended.
      {typeof active === 'string' && (
        <>
          {' '}
          <Link to="/issues/$id" params={{ id: active }}>
            See the issue in progress
          </Link>
        </>
      )}
    </Notice>
  );
}

interface TemplatesProps {
  readonly repo: Repo | undefined;
  readonly draft: Draft;
  readonly onChoose: (text: Pick<Template, 'title' | 'body'>) => void;
}

/** The templates for a new issue of the repository. Once something is written, a template would overwrite it. */
function Templates({ repo, draft, onChoose }: TemplatesProps) {
  const templates = repo?.settings.issue_templates ?? [];
  if (templates.length === 0 || !isUntouched(draft, templates)) return null;
  return (
    <fieldset className={styles.templates}>
      <legend>Begin with a template</legend>
      {templates.map(({ name, title, body }) => (
        <Button
          key={name}
          aria-pressed={draft.title === title && draft.body === body}
          onClick={() => onChoose({ title, body })}
        >
          <bdi>{visibleText(name)}</bdi>
        </Button>
      ))}
    </fieldset>
  );
}

/**
 * Creates the issue of a draft and leads to it. A request keeps its idempotency key until it is answered with an issue, also
 * over a reload: sent again it creates no second one. The server keeps no refusal with the key.
 */
function useCreateIssue({ change, discard }: Pick<ReturnType<typeof useDraft>, 'change' | 'discard'>) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (draft: Draft) => {
      const request = toRequest(draft);
      const attempt = attemptOf(draft.attempt, request);
      change({ attempt });
      return await client.issues.create.mutate(request, { idempotencyKey: attempt.key });
    },
    onSuccess: async ({ id }) => {
      discard();
      await navigate({ to: '/issues/$id', params: { id } });
    },
  });
}

/** The draft of the user in this tab, kept with each change. @param begin what the page makes of the one that was kept */
function useDraft(begin: (kept: Draft) => Draft) {
  const userId = useQuery(profileQuery).data?.id ?? '';
  const [draft, setDraft] = useState(() => begin(keptDraft(tabStorage, userId)));
  const latest = useRef(draft); // two changes may come before the next render
  const put = useCallback(
    (next: Draft) => {
      latest.current = next;
      setDraft(next);
      keepDraft(tabStorage, userId, next);
    },
    [userId],
  );
  const change = useCallback((changes: Partial<Draft>) => put({ ...latest.current, ...changes }), [put]);
  const discard = useCallback(() => put({ ...emptyDraft, repoId: latest.current.repoId }), [put]);
  return { draft, change, discard, latest: () => latest.current };
}
