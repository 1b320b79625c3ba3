import type {
  HostLineComment,
  HostPull,
  HostRepository,
  HostReview,
  HostState,
  HostSubject,
} from '../state/host-state.ts';
import { nameOf } from '../state/host-state.ts';
import { associationOf } from '../state/permission.ts';
import { labelWire } from './wire-issue.ts';
import { repoWire } from './wire-repo.ts';
import { timeWire, userWire } from './wire-user.ts';

/** An issue that is a pull request. */
export type PullSubject = HostSubject & { readonly pull: HostPull };

export function isPull(subject: HostSubject): subject is PullSubject {
  return subject.pull !== null;
}

/** The wire form of a pull request in a list. */
export function pullWire(host: HostState, repo: HostRepository, subject: PullSubject) {
  const { pull } = subject;
  const repoUrl = `${host.apiUrl}/repos/${nameOf(repo)}`;
  const url = `${repoUrl}/pulls/${subject.number}`;
  const issueUrl = `${repoUrl}/issues/${subject.number}`;
  const web = `${host.webUrl}/${nameOf(repo)}/pull/${subject.number}`;
  const statuses = `${repoUrl}/statuses/${pull.headCommit}`;
  const reviewComment = `${repoUrl}/pulls/comments{/number}`;
  const end = (branch: string, sha: string) => ({
    label: `${repo.owner.login}:${branch}`,
    ref: branch,
    sha,
    user: userWire(host, repo.owner),
    repo: repoWire(host, repo, 'read'),
  });
  return {
    url,
    id: pull.id,
    node_id: `PR_${pull.id}`,
    html_url: web,
    diff_url: `${web}.diff`,
    patch_url: `${web}.patch`,
    issue_url: issueUrl,
    number: subject.number,
    state: subject.state,
    locked: false,
    title: subject.title,
    user: userWire(host, subject.author),
    body: subject.body === '' ? null : subject.body,
    created_at: timeWire(subject.createdAt),
    updated_at: timeWire(subject.updatedAt),
    closed_at: subject.closedAt === null ? null : timeWire(subject.closedAt),
    merged_at: pull.mergedAt === null ? null : timeWire(pull.mergedAt),
    merge_commit_sha: pull.mergeCommit,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    labels: subject.labels.map((label) => labelWire(host, repo, label)),
    milestone: null,
    draft: pull.draft,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: reviewComment,
    comments_url: `${issueUrl}/comments`,
    statuses_url: statuses,
    head: end(pull.head, pull.headCommit),
    base: end(pull.base, pull.baseCommit),
    _links: {
      self: { href: url },
      html: { href: web },
      issue: { href: issueUrl },
      comments: { href: `${issueUrl}/comments` },
      review_comments: { href: `${url}/comments` },
      review_comment: { href: reviewComment },
      commits: { href: `${url}/commits` },
      statuses: { href: statuses },
    },
    author_association: associationOf(repo, subject.author),
    auto_merge: null,
    active_lock_reason: null,
  };
}

/** The wire form of a single pull request. */
export function fullPullWire(host: HostState, repo: HostRepository, subject: PullSubject) {
  const { pull } = subject;
  const judged = subject.state === 'open' ? pull.judged : null;
  return {
    ...pullWire(host, repo, subject),
    merged: pull.mergedAt !== null,
    mergeable: judged === null ? null : !judged.conflict,
    rebaseable: null,
    mergeable_state: mergeableState(repo, subject),
    merged_by: pull.mergedBy === null ? null : userWire(host, pull.mergedBy),
    comments: subject.comments.length,
    review_comments: pull.lineComments.length,
    maintainer_can_modify: false,
    commits: 1,
    additions: 1,
    deletions: 1,
    changed_files: 1,
  };
}

function mergeableState({ builds }: HostRepository, { state, pull: { judged, draft } }: PullSubject): string {
  if (state !== 'open' || judged === null) return 'unknown';
  if (judged.conflict) return 'dirty';
  if (draft) return 'draft';
  return builds.strict && judged.behind ? 'behind' : 'clean';
}

export function reviewWire(host: HostState, place: { repo: HostRepository; subject: HostSubject }, review: HostReview) {
  const { repo, subject } = place;
  const html = `${host.webUrl}/${nameOf(repo)}/pull/${subject.number}#pullrequestreview-${review.id}`;
  const pull = `${host.apiUrl}/repos/${nameOf(repo)}/pulls/${subject.number}`;
  return {
    id: review.id,
    node_id: `PRR_${review.id}`,
    user: userWire(host, review.author),
    body: review.body,
    state: review.state,
    html_url: html,
    pull_request_url: pull,
    author_association: associationOf(repo, review.author),
    _links: { html: { href: html }, pull_request: { href: pull } },
    submitted_at: timeWire(review.createdAt),
    commit_id: review.commit,
  };
}

export function lineCommentWire(
  host: HostState,
  place: { repo: HostRepository; subject: HostSubject },
  comment: HostLineComment,
) {
  const { repo, subject } = place;
  const repoUrl = `${host.apiUrl}/repos/${nameOf(repo)}`;
  const url = `${repoUrl}/pulls/comments/${comment.id}`;
  const html = `${host.webUrl}/${nameOf(repo)}/pull/${subject.number}#discussion_r${comment.id}`;
  const pull = `${repoUrl}/pulls/${subject.number}`;
  return {
    url,
    pull_request_review_id: comment.review.id,
    id: comment.id,
    node_id: `PRRC_${comment.id}`,
    diff_hunk: comment.hunk,
    path: comment.path,
    commit_id: comment.commit,
    original_commit_id: comment.commit,
    user: userWire(host, comment.author),
    body: comment.body,
    created_at: timeWire(comment.createdAt),
    updated_at: timeWire(comment.updatedAt),
    html_url: html,
    pull_request_url: pull,
    author_association: associationOf(repo, comment.author),
    _links: { self: { href: url }, html: { href: html }, pull_request: { href: pull } },
    // A line that is gone is left out, as the host's description has it.
    ...(comment.line === null ? {} : { line: comment.line }),
    ...(comment.replyTo === null ? {} : { in_reply_to_id: comment.replyTo }),
    original_line: comment.line ?? 1,
    side: 'RIGHT',
    subject_type: 'line',
  };
}
