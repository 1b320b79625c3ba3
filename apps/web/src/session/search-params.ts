import type { IssueStatus } from '@sluice/client';
import { endedStatuses } from '../format/has-ended.ts';

type Search = Readonly<Record<string, unknown>>;

/** What the address of the login may say. */
export interface LoginSearch {
  readonly return?: string | undefined;
  /** The user was led here because their session had ended. */
  readonly expired?: boolean | undefined;
  /** A code of the server: why a sign-in at the code host failed. */
  readonly error?: string | undefined;
}

export function loginSearch(search: Search): LoginSearch {
  return {
    return: textOf(search.return),
    expired: search.expired === true ? true : undefined,
    error: textOf(search.error),
  };
}

/** The statuses that the inbox can be narrowed to. Those that mean the same to its reader are one. */
export const issueGroups = {
  awaiting_approval: ['human_review', 'awaiting_approval'],
  running: ['running'],
  pending: ['pending'],
  completed: ['completed'],
  failed: ['failed'],
  rejected: ['rejected'],
  cancelled: ['cancelled'],
  done: endedStatuses,
} as const satisfies Readonly<Record<string, readonly IssueStatus[]>>;
export type IssueGroup = keyof typeof issueGroups;
const groupNames = Object.keys(issueGroups) as IssueGroup[];

/** The filters of the inbox. */
export interface InboxSearch {
  readonly status?: IssueGroup | undefined;
  readonly repo?: string | undefined;
  readonly q?: string | undefined;
}

export function inboxSearch(search: Search): InboxSearch {
  return {
    status: groupNames.find((name) => name === search.status),
    repo: textOf(search.repo),
    q: textOf(search.q),
  };
}

/** What a new issue begins with. */
export interface NewIssueSearch {
  readonly repo?: string | undefined;
  /** The name of one of the repository's templates. */
  readonly template?: string | undefined;
}

export function newIssueSearch(search: Search): NewIssueSearch {
  return { repo: textOf(search.repo), template: textOf(search.template) };
}

/** How far back outcomes are counted, in days. */
export const outcomePeriods = { '30d': 30, '90d': 90, '365d': 365, all: null } as const;
export type OutcomePeriod = keyof typeof outcomePeriods;
export const outcomeGroupings = ['repo', 'model', 'prompt_revision'] as const;

/** Which outcomes are shown, and how they are compared. */
export interface OutcomesSearch {
  readonly period?: OutcomePeriod | undefined;
  readonly repo?: string | undefined;
  readonly by?: (typeof outcomeGroupings)[number] | undefined;
}

export function outcomesSearch(search: Search): OutcomesSearch {
  return {
    period: (Object.keys(outcomePeriods) as OutcomePeriod[]).find((name) => name === search.period),
    repo: textOf(search.repo),
    by: outcomeGroupings.find((name) => name === search.by),
  };
}

/** Which entries of the audit log of the server are shown. */
export interface AuditSearch {
  /** The id of an account. */
  readonly user?: string | undefined;
  readonly action?: string | undefined;
  /** Days in UTC, such as 2026-11-20; both belong to it. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function auditSearch(search: Search): AuditSearch {
  return {
    user: textOf(search.user),
    action: textOf(search.action),
    from: dayOf(search.from),
    to: dayOf(search.to),
  };
}

function dayOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

export const issueViews = ['activity', 'plan', 'diff', 'log'] as const;
export type IssueView = (typeof issueViews)[number];

/** What the page of an issue shows. Without `view` the page chooses by what the issue needs. */
export interface IssueSearch {
  readonly view?: IssueView | undefined;
  /** The number of an event, which the timeline opens and scrolls to. */
  readonly event?: number | undefined;
  /** A path, which the diff scrolls to. */
  readonly file?: string | undefined;
  /** What the log or the diff is searched for. */
  readonly q?: string | undefined;
}

export function issueSearch(search: Search): IssueSearch {
  return {
    view: issueViews.find((view) => view === search.view),
    event: Number.isSafeInteger(search.event) && Number(search.event) > 0 ? Number(search.event) : undefined,
    file: textOf(search.file),
    q: textOf(search.q),
  };
}

/** What a repository's code, or the list of repositories, is searched for. */
export interface RepoSearch {
  readonly q?: string | undefined;
}

export function repoSearch(search: Search): RepoSearch {
  return { q: textOf(search.q) };
}

/** How linking an account at the code host went. */
export interface SettingsSearch {
  /** An account was linked. */
  readonly linked?: string | undefined;
  /** A code of the server: why none was. */
  readonly error?: string | undefined;
}

export function settingsSearch(search: Search): SettingsSearch {
  return { linked: textOf(search.linked), error: textOf(search.error) };
}

/** A parameter as text: the router reads `?q=42` as a number. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
