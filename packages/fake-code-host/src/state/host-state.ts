import type { Clock } from '@sluice/core/async';
import type { HostBuilds, HostLogs } from './host-build.ts';
import type { HostUser } from './host-user.ts';
import type { TokenBook } from './token-book.ts';

export const hostPermissions = ['none', 'read', 'triage', 'write', 'maintain', 'admin'] as const;
export type HostPermission = (typeof hostPermissions)[number];

export interface HostLabel {
  readonly id: number;
  readonly name: string;
}

export interface HostText {
  readonly id: number;
  readonly author: HostUser;
  body: string;
  readonly createdAt: Date;
  updatedAt: Date;
}

export interface HostReview extends HostText {
  readonly state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED';
  readonly commit: string;
}

export interface HostLineComment extends HostText {
  /** Each is part of one, also a comment that was written alone. */
  readonly review: HostReview;
  /** The comment that began its thread, for an answer. */
  readonly replyTo: number | null;
  readonly hunk: string;
  readonly path: string;
  /** Null when the line is gone from the change since. */
  readonly line: number | null;
  readonly commit: string;
}

interface MergeJudgement {
  readonly head: string;
  readonly base: string;
  readonly conflict: boolean;
  readonly behind: boolean;
}

/** What an issue has besides when it is a pull request. */
export interface HostPull {
  readonly id: number;
  readonly head: string;
  base: string;
  headCommit: string;
  baseCommit: string;
  draft: boolean;
  /** The result that a merge of these two commits would have; null while the host has not tried it. */
  judged: MergeJudgement | null;
  mergedAt: Date | null;
  mergedBy: HostUser | null;
  mergeCommit: string | null;
  readonly reviews: HostReview[];
  readonly lineComments: HostLineComment[];
  /** First comments of the threads that are resolved. */
  readonly resolved: Set<number>;
}

/** An issue or a pull request: they count with one row of numbers. */
export interface HostSubject {
  readonly id: number;
  readonly number: number;
  title: string;
  body: string;
  readonly author: HostUser;
  labels: HostLabel[];
  state: 'open' | 'closed';
  deleted: boolean;
  readonly createdAt: Date;
  updatedAt: Date;
  closedAt: Date | null;
  readonly comments: HostText[];
  readonly pull: HostPull | null;
}

export interface HostRepository {
  readonly id: number;
  readonly owner: HostUser;
  name: string;
  readonly private: boolean;
  readonly description: string | null;
  readonly defaultBranch: string;
  /** The bare repository on disk. */
  readonly path: string;
  /** Whether pull requests may be drafts: on private repositories that is a matter of the plan. */
  readonly drafts: boolean;
  readonly permissions: Map<HostUser, HostPermission>;
  readonly labels: HostLabel[];
  readonly subjects: HostSubject[];
  readonly builds: HostBuilds;
  /** Names it had before: they lead here. */
  readonly formerNames: string[];
  readonly createdAt: Date;
  pushedAt: Date;
}

/** Something that happened, as a webhook tells it. */
export interface HostEvent {
  readonly repo: HostRepository;
  readonly name: string;
  /** Null where an event has none. */
  readonly action: string | null;
  readonly sender: HostUser;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The files of issues. */
export interface HostFiles {
  /** The signed address of a file by its id; null where there is none. */
  signed(id: string): string | null;
}

/** All that the host knows. */
export interface HostState {
  readonly clock: Clock;
  /** Where people go. */
  readonly webUrl: string;
  readonly apiUrl: string;
  readonly users: HostUser[];
  readonly repos: HostRepository[];
  readonly tokens: TokenBook;
  readonly logs: HostLogs;
  readonly files: HostFiles;
  nextId(): number;
  emit(event: HostEvent): void;
}

export function nameOf(repo: HostRepository): string {
  return `${repo.owner.login}/${repo.name}`;
}

export function findUser(host: HostState, login: string): HostUser | null {
  return host.users.find((user) => user.login.toLowerCase() === login.toLowerCase()) ?? null;
}

export function findRepo(host: HostState, fullName: string): HostRepository | null {
  const wanted = fullName.toLowerCase();
  return host.repos.find((repo) => nameOf(repo).toLowerCase() === wanted) ?? null;
}

/** The repository that had this name before, where no other one has taken it since. */
export function findMoved(host: HostState, fullName: string): HostRepository | null {
  const wanted = fullName.toLowerCase();
  if (findRepo(host, fullName) !== null) return null;
  return host.repos.find((repo) => repo.formerNames.some((name) => name.toLowerCase() === wanted)) ?? null;
}
