import type { Repo, SluiceClient } from '@sluice/client';
import { attachedIds } from '../attachments/attached.ts';
import { keepText, keptJson } from '../browser/kept-text.ts';
import type { Attempt } from '../session/idempotency-key.ts';

/** An issue that is being written. */
export interface Draft {
  readonly repoId: string;
  readonly title: string;
  readonly body: string;
  /** Empty: the default branch of the repository. */
  readonly baseBranch: string;
  /** Separated by commas. */
  readonly labels: string;
  /** The files that are uploaded, as `attachedOf` reads them. */
  readonly attachments: string;
  readonly isQueued: boolean;
  /** The request to create it that got no answer. */
  readonly attempt: Attempt | null;
}

export const emptyDraft: Draft = {
  repoId: '',
  title: '',
  body: '',
  baseBranch: '',
  labels: '',
  attachments: '',
  isQueued: false,
  attempt: null,
};

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

// Each user has their own: another one may log in in the same tab.
const keyOf = (userId: string) => `sluice.draft.${userId}`;

/** Keeps a draft in this tab, over reloads and a login. */
export function keepDraft(storage: Storage, userId: string, draft: Draft): void {
  keepText(storage, keyOf(userId), isEmpty(draft) ? '' : JSON.stringify(draft));
}

/** Nothing is written in it. The choice of a repository alone is not worth keeping. */
function isEmpty({ repoId: _, isQueued: __, attempt: ___, ...fields }: Draft): boolean {
  return Object.entries(fields).every(([name, value]) => value === emptyDraft[name as keyof typeof fields]);
}

/** The draft that was kept; an empty one where there is none, or one of another release. */
export function keptDraft(storage: Storage, userId: string): Draft {
  const kept = keptJson(storage, keyOf(userId));
  return isDraft(kept) ? kept : emptyDraft;
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const draft = value as Record<string, unknown>;
  const isSame = Object.entries(emptyDraft).every(
    ([name, empty]) => empty === null || typeof draft[name] === typeof empty,
  );
  const attempt = draft.attempt as Partial<Attempt> | null | undefined;
  return isSame && (attempt === null || (typeof attempt?.key === 'string' && typeof attempt.input === 'string'));
}

/** The labels by themselves, each once. */
export function labelsOf(draft: Pick<Draft, 'labels'>): string[] {
  return [...new Set(draft.labels.split(',').map((label) => label.trim()))].filter(Boolean);
}

export type CreateRequest = Parameters<SluiceClient['issues']['create']['mutate']>[0];

/** What the draft gives for each field of the request. Undefined: as the repository has it. */
const given: { readonly [Field in keyof Required<CreateRequest>]: (draft: Draft) => CreateRequest[Field] | undefined } =
  {
    repo_id: ({ repoId }) => repoId,
    title: ({ title }) => title.trim(),
    body: ({ body }) => body,
    base_branch: ({ baseBranch }) => baseBranch.trim() || undefined,
    labels: (draft) => {
      const labels = labelsOf(draft);
      return labels.length === 0 ? undefined : labels;
    },
    attachments: ({ attachments }) => attachedIds(attachments),
    queue: ({ isQueued }) => isQueued || undefined,
  };

/** The request that creates the issue. What is left out is as the repository has it. */
export function toRequest(draft: Draft): CreateRequest {
  const fields = Object.entries(given).map(([field, of]) => [field, of(draft)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as CreateRequest;
}

export type Template = Repo['settings']['issue_templates'][number];

/** Whether nothing is written yet that a template would overwrite. */
export function isUntouched({ title, body }: Pick<Draft, 'title' | 'body'>, templates: readonly Template[]): boolean {
  if (title === '' && body === '') return true;
  return templates.some((template) => template.title === title && template.body === body);
}
