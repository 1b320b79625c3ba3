import { gitIn } from '../state/bare-repository.ts';
import type { HostLineComment, HostPermission, HostRepository, HostReview, HostState } from '../state/host-state.ts';
import type { HostUser } from '../state/host-user.ts';
import type { OAuthApp } from '../state/oauth-app.ts';
import type { PullSubject } from '../wire/wire-pull.ts';
import { threadsOf } from '../wire/wire-thread.ts';
import { type HostBuilders, hostBuilders } from './build-acts.ts';
import {
  addRepo,
  addUser,
  type HandPush,
  type NewHostRepo,
  type NewHostUser,
  pullOf,
  pushByHand,
  repoNamed,
  setPermission,
  subjectOf,
  userNamed,
} from './host-people.ts';
import {
  addLineComment,
  addReview,
  editLineComment,
  type LineDraft,
  type MergeMethod,
  markPullReady,
  mergePull,
  openPull,
} from './pull-acts.ts';
import {
  readComments,
  readLineComments,
  readPulls,
  type SeenComment,
  type SeenLineComment,
  type SeenPull,
} from './read-out.ts';
import { addComment, editComment, openIssue, setLabel, setState } from './subject-acts.ts';
import { reopenThread, resolveThreadOf } from './thread-acts.ts';

/** An issue or pull request of a repository (`owner/name`), and who does something there. */
export interface HostPlace {
  readonly repo: string;
  readonly number: number;
  readonly by: string;
}

/** What people do at the code host, and what can be seen there, without the wire. */
export interface CodeHostPeople {
  addUser(user: NewHostUser): HostUser;
  /** Renames a user; their id stays. */
  renameUser(login: string, to: string): void;
  addRepo(repo: NewHostRepo): Promise<HostRepository>;
  renameRepo(fullName: string, to: string): void;
  /** Invites somebody; `none` takes it back. */
  setPermission(fullName: string, who: { login: string; permission: HostPermission }): void;
  /** The next issue or pull request gets this number. */
  openIssue(
    repo: string,
    issue: { title: string; body?: string; by: string; labels?: readonly string[]; number?: number },
  ): number;
  deleteIssue(repo: string, number: number): void;
  comment(place: HostPlace, body: string): number;
  editComment(place: HostPlace, change: { id: number; body: string }): void;
  label(place: HostPlace, name: string): void;
  unlabel(place: HostPlace, name: string): void;
  close(place: HostPlace): void;
  reopen(place: HostPlace): void;
  /** Opens a pull request as a person does. @throws Error when the host's rules forbid it */
  openPull(
    repo: string,
    pull: { title: string; body?: string; head: string; base: string; by: string },
  ): Promise<number>;
  /** @returns the commit that it leaves at the base */
  merge(place: HostPlace, method?: MergeMethod): Promise<string>;
  review(place: HostPlace, review: { state: HostReview['state']; body: string; lines?: readonly LineDraft[] }): number;
  /** Makes a draft ready for review. */
  markReady(place: HostPlace): void;
  /** Resolves the thread that a comment began, or opens it again. */
  setResolved(place: HostPlace, thread: { comment: number; resolved: boolean }): void;
  /** A comment on a line that is no part of a review which says more. */
  commentLine(place: HostPlace, comment: LineDraft): number;
  /** Changes the text of a comment on a line. */
  editLine(place: HostPlace, change: { id: number; body: string }): void;
  /** Deletes a comment on a line. The other comments of its thread stay. */
  deleteLine(place: HostPlace, id: number): void;
  /** Commits to a branch and pushes, from a person's own machine. @returns the commit */
  push(repo: string, push: HandPush): Promise<string>;
  deleteBranch(repo: string, branch: string): Promise<void>;
  /** A live token, without the sign-in. */
  issueToken(login: string, scopes?: readonly string[]): string;
  /** Revokes all of a user's tokens, as the settings page of the host does. */
  revokeTokens(login: string): void;
  readonly builders: HostBuilders;
  pulls(repo: string): Promise<readonly SeenPull[]>;
  comments(repo: string, number: number): readonly SeenComment[];
  /** The comments on lines of a pull request. */
  lineComments(repo: string, number: number): readonly SeenLineComment[];
  /** Runs git in the bare repository. */
  git(repo: string, ...args: string[]): Promise<string>;
  /** Every token and code ever given out, and the application's secret: to look for where they must not be. */
  secrets(): readonly string[];
}

export function codeHostPeople(parts: { host: HostState; root: string; app: OAuthApp }): CodeHostPeople {
  const { host, root, app } = parts;
  const at = (place: HostPlace) => {
    const repo = repoNamed(host, place.repo);
    return { repo, subject: subjectOf(repo, place.number), by: userNamed(host, place.by) };
  };
  const atPull = (place: HostPlace) => ({ ...at(place), subject: pullOf(repoNamed(host, place.repo), place.number) });
  return {
    addUser: (user) => addUser(host, user),
    renameUser: (login, to) => {
      userNamed(host, login).login = to;
    },
    addRepo: (repo) => addRepo(host, root, repo),
    renameRepo: (fullName, to) => {
      const repo = repoNamed(host, fullName);
      repo.formerNames.push(fullName);
      repo.name = to;
    },
    setPermission: (fullName, who) => setPermission(host, fullName, who),
    openIssue: (name, { body = '', by, labels = [], ...rest }) =>
      openIssue(host, repoNamed(host, name), { body, author: userNamed(host, by), labels, ...rest }).number,
    deleteIssue: (name, number) => {
      subjectOf(repoNamed(host, name), number).deleted = true;
    },
    comment: (place, body) => addComment(host, at(place), body).id,
    editComment: (place, { id, body }) => {
      const comment = at(place).subject.comments.find((one) => one.id === id);
      if (comment === undefined) throw new Error(`#${place.number} has no comment ${id}.`);
      editComment(host, at(place), { comment, body });
    },
    label: (place, name) => setLabel(host, at(place), { name, present: true }),
    unlabel: (place, name) => setLabel(host, at(place), { name, present: false }),
    close: (place) => setState(host, at(place), 'closed'),
    reopen: (place) => setState(host, at(place), 'open'),
    openPull: async (name, { by, body = '', ...ends }) => {
      const draft = { ...ends, body, draft: false, author: userNamed(host, by) };
      const outcome = await openPull(host, repoNamed(host, name), draft);
      if (outcome.kind !== 'opened') throw new Error(`The code host opens no pull request: ${outcome.kind}.`);
      return outcome.subject.number;
    },
    merge: (place, method) => mergePull(host, atPull(place), method),
    review: (place, review) => addReview(host, atPull(place), review).review.id,
    markReady: (place) => markPullReady(host, atPull(place)),
    setResolved: (place, { comment, resolved }) => {
      const thread = threadsOf(atPull(place).subject).find(({ comments }) => comments[0].id === comment);
      if (thread === undefined) throw new Error(`#${place.number} has no thread that comment ${comment} began.`);
      (resolved ? resolveThreadOf : reopenThread)(host, atPull(place), thread);
    },
    commentLine: (place, comment) => addLineComment(host, atPull(place), comment).id,
    editLine: (place, { id, body }) =>
      editLineComment(host, atPull(place), { comment: lineOf(atPull(place).subject, id), body }),
    deleteLine: (place, id) => {
      const { subject } = atPull(place);
      const gone = lineOf(subject, id);
      subject.pull.lineComments.splice(subject.pull.lineComments.indexOf(gone), 1);
      subject.updatedAt = host.clock.now();
    },
    push: (name, push) => pushByHand(host, repoNamed(host, name), push),
    deleteBranch: async (name, branch) => {
      await gitIn(repoNamed(host, name).path, ['update-ref', '-d', `refs/heads/${branch}`]);
    },
    issueToken: (login, scopes = ['repo']) => host.tokens.issue(userNamed(host, login), scopes).value,
    revokeTokens: (login) => {
      app.consents.delete(userNamed(host, login));
      host.tokens.revokeAll(userNamed(host, login));
    },
    builders: hostBuilders(host),
    pulls: (name) => readPulls(host, repoNamed(host, name)),
    comments: (name, number) => readComments(repoNamed(host, name), number),
    lineComments: (name, number) => readLineComments(repoNamed(host, name), number),
    git: (name, ...args) => gitIn(repoNamed(host, name).path, args),
    secrets: () => [...host.tokens.secrets(), ...app.codes.keys(), app.clientSecret],
  };
}

function lineOf({ number, pull }: PullSubject, id: number): HostLineComment {
  const comment = pull.lineComments.find((one) => one.id === id);
  if (comment === undefined) throw new Error(`#${number} has no comment ${id} on a line.`);
  return comment;
}
