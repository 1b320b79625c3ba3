import type { HostRepository, HostState, HostText } from '../state/host-state.ts';
import { isPull } from '../wire/wire-pull.ts';
import { followBranches } from './pull-acts.ts';

/** A pull request as a test looks at it. */
export interface SeenPull {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  readonly state: 'open' | 'closed';
  readonly merged: boolean;
  readonly draft: boolean;
  readonly head: string;
  readonly headCommit: string;
  readonly base: string;
}

export interface SeenComment {
  readonly id: number;
  readonly author: string;
  readonly body: string;
  readonly isEdited: boolean;
}

export interface SeenLineComment extends SeenComment {
  /** The comment that began its thread. */
  readonly replyTo: number | null;
  readonly isResolved: boolean;
}

/** All pull requests, oldest first, closed ones too. */
export async function readPulls(host: HostState, repo: HostRepository): Promise<readonly SeenPull[]> {
  await followBranches(host, repo, repo.owner);
  return repo.subjects.filter(isPull).map(({ number, title, body, author, state, pull }) => ({
    number,
    title,
    body,
    author: author.login,
    state,
    merged: pull.mergedAt !== null,
    draft: pull.draft,
    head: pull.head,
    headCommit: pull.headCommit,
    base: pull.base,
  }));
}

export function readComments(repo: HostRepository, number: number): readonly SeenComment[] {
  const subject = repo.subjects.find((one) => one.number === number);
  return (subject?.comments ?? []).map(seen);
}

export function readLineComments(repo: HostRepository, number: number): readonly SeenLineComment[] {
  const { lineComments = [], resolved } = repo.subjects.find((one) => one.number === number)?.pull ?? {};
  return lineComments.map((comment) => ({
    ...seen(comment),
    replyTo: comment.replyTo,
    isResolved: resolved?.has(comment.replyTo ?? comment.id) ?? false,
  }));
}

function seen({ id, author, body, createdAt, updatedAt }: HostText): SeenComment {
  return { id, author: author.login, body, isEdited: updatedAt > createdAt };
}
