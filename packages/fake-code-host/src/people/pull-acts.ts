import { countCommits, gitIn, tipOf } from '../state/bare-repository.ts';
import type { HostLineComment, HostRepository, HostReview, HostState } from '../state/host-state.ts';
import type { HostUser } from '../state/host-user.ts';
import { isPull, lineCommentWire, type PullSubject, pullWire, reviewWire } from '../wire/wire-pull.ts';
import { type ActPlace, newSubject, tell, tellOfPush, tellOfSubject } from './subject-acts.ts';

export interface PullDraft {
  readonly title: string;
  readonly body: string;
  readonly head: string;
  readonly base: string;
  readonly draft: boolean;
  readonly author: HostUser;
}

export type PullOutcome =
  | { readonly kind: 'opened'; readonly subject: PullSubject }
  | { readonly kind: 'no_head' | 'no_base' | 'no_commits' | 'exists' | 'no_drafts' };

/** Opens a pull request between two branches of the repository, by the host's rules. */
export async function openPull(host: HostState, repo: HostRepository, draft: PullDraft): Promise<PullOutcome> {
  const headCommit = await tipOf(repo, draft.head);
  if (headCommit === null) return { kind: 'no_head' };
  const baseCommit = await tipOf(repo, draft.base);
  if (baseCommit === null) return { kind: 'no_base' };
  if (draft.draft && !repo.drafts) return { kind: 'no_drafts' };
  const commits = await countCommits(repo, baseCommit, headCommit);
  // From here on nothing is waited for: of two at once the second one finds the first.
  if (openPullFrom(repo, draft) !== null) return { kind: 'exists' };
  if (commits === 0) return { kind: 'no_commits' };
  const { title, body, author } = draft;
  const subject: PullSubject = {
    ...newSubject(host, repo, { title, body, author }),
    pull: {
      id: host.nextId(),
      head: draft.head,
      base: draft.base,
      headCommit,
      baseCommit,
      draft: draft.draft,
      judged: null,
      mergedAt: null,
      mergedBy: null,
      mergeCommit: null,
      reviews: [],
      lineComments: [],
      resolved: new Set(),
    },
  };
  repo.subjects.push(subject);
  await gitIn(repo.path, ['update-ref', `refs/pull/${subject.number}/head`, headCommit]);
  tellOfSubject(host, { repo, subject, by: author }, { action: 'opened' });
  return { kind: 'opened', subject };
}

function openPullFrom(repo: HostRepository, ends: { head: string; base: string }): PullSubject | null {
  const fits = (subject: PullSubject) =>
    subject.state === 'open' && subject.pull.head === ends.head && subject.pull.base === ends.base;
  return repo.subjects.filter(isPull).find(fits) ?? null;
}

/** Brings the open pull requests to where their branches are now; one whose branch is gone is closed. */
export async function followBranches(host: HostState, repo: HostRepository, by: HostUser): Promise<void> {
  for (const subject of repo.subjects.filter(isPull)) {
    if (subject.state !== 'open') continue;
    const tip = await tipOf(repo, subject.pull.head);
    if (subject.state !== 'open' || tip === subject.pull.headCommit) continue;
    const now = host.clock.now();
    subject.updatedAt = now;
    if (tip === null) {
      subject.state = 'closed';
      subject.closedAt = now;
    } else {
      subject.pull.headCommit = tip;
    }
    tellOfSubject(host, { repo, subject, by }, { action: tip === null ? 'closed' : 'synchronize' });
    if (tip !== null) await gitIn(repo.path, ['update-ref', `refs/pull/${subject.number}/head`, tip]);
  }
}

/** Makes a draft ready for review. */
export function markPullReady(host: HostState, place: ActPlace & { subject: PullSubject }): void {
  const { subject } = place;
  if (!subject.pull.draft) return;
  subject.pull.draft = false;
  subject.updatedAt = host.clock.now();
  tellOfSubject(host, place, { action: 'ready_for_review' });
}

/**
 * Tries a merge, as the host does after it was asked for a pull request whose ends have moved: that first time it does not
 * know yet.
 */
export async function judgeMerge(repo: HostRepository, { pull }: PullSubject): Promise<void> {
  const base = await tipOf(repo, pull.base);
  const head = pull.headCommit;
  if (base === null || (pull.judged?.head === head && pull.judged.base === base)) return;
  const merged = gitIn(repo.path, ['merge-tree', '--write-tree', base, head]);
  const conflict = await merged.then(
    () => false,
    () => true,
  );
  pull.judged = { head, base, conflict, behind: (await countCommits(repo, head, base)) > 0 };
}

export type MergeMethod = 'merge' | 'squash';

/** Merges a pull request as its page's button does: its base goes on to a merge commit, or to one with the whole change. */
export async function mergePull(
  host: HostState,
  place: ActPlace & { subject: PullSubject },
  method: MergeMethod = 'merge',
): Promise<string> {
  const { repo, subject, by } = place;
  const { pull } = subject;
  const base = await tipOf(repo, pull.base);
  const head = await tipOf(repo, pull.head);
  if (base === null || head === null) throw new Error(`#${subject.number} has no branch to merge.`);
  const tree = await gitIn(repo.path, ['merge-tree', '--write-tree', base, head]);
  const isSquash = method === 'squash';
  const message = isSquash ? `${subject.title} (#${subject.number})` : `Merge pull request #${subject.number}`;
  const parents = isSquash ? ['-p', base] : ['-p', base, '-p', head];
  const args = ['commit-tree', tree, ...parents, '-m', message];
  const commit = await gitIn(repo.path, args, identityOf(host, by));
  await gitIn(repo.path, ['update-ref', `refs/heads/${pull.base}`, commit, base]);
  const now = host.clock.now();
  Object.assign(pull, { headCommit: head, mergedAt: now, mergedBy: by, mergeCommit: commit });
  Object.assign(subject, { state: 'closed', closedAt: now, updatedAt: now });
  tellOfPush(host, repo, { by, branch: pull.base, commit });
  tellOfSubject(host, place, { action: 'closed' });
  return commit;
}

/** Git's environment for a commit by somebody. */
function identityOf(host: HostState, by: HostUser): Record<string, string> {
  const [name, email] = [by.name ?? by.login, by.email ?? `${by.login}@localhost`];
  const date = `${Math.floor(host.clock.now().getTime() / 1_000)} +0000`;
  const [author, committer] = ['AUTHOR', 'COMMITTER'].map((role) => ({
    [`GIT_${role}_NAME`]: name,
    [`GIT_${role}_EMAIL`]: email,
    [`GIT_${role}_DATE`]: date,
  }));
  return { ...author, ...committer };
}

/** What a review says, or a comment on a line that is written alone. */
export interface LineDraft {
  readonly path: string;
  readonly line: number | null;
  readonly body: string;
  readonly hunk?: string;
  readonly replyTo?: number;
}

/** Submits a review: it and its comments on lines can be seen together. */
export function addReview(
  host: HostState,
  place: ActPlace & { subject: PullSubject },
  draft: Pick<HostReview, 'state' | 'body'> & { readonly lines?: readonly LineDraft[] },
): { readonly review: HostReview; readonly lines: readonly HostLineComment[] } {
  const { repo, subject, by } = place;
  const { lines: drafts = [], ...rest } = draft;
  const now = host.clock.now();
  const text = () => ({ id: host.nextId(), author: by, createdAt: now, updatedAt: now });
  const review = { ...text(), ...rest, commit: subject.pull.headCommit };
  const lines = drafts.map(({ path, line, body, hunk = '@@ -1 +1 @@', replyTo = null }) => ({
    ...text(),
    ...{ path, line, body, hunk, replyTo, review },
    commit: subject.pull.headCommit,
  }));
  subject.pull.reviews.push(review);
  subject.pull.lineComments.push(...lines);
  subject.updatedAt = now;
  const pull_request = pullWire(host, repo, subject);
  const submitted = { pull_request, review: reviewWire(host, place, review) };
  tell(host, place, { name: 'pull_request_review', action: 'submitted', payload: submitted });
  for (const line of lines) {
    const payload = { pull_request, comment: lineCommentWire(host, place, line) };
    tell(host, place, { name: 'pull_request_review_comment', action: 'created', payload });
  }
  return { review, lines };
}

/** A single comment on a line, or a reply to one: the host wraps it in a review. */
export function addLineComment(
  host: HostState,
  place: ActPlace & { subject: PullSubject },
  draft: LineDraft,
): HostLineComment {
  const [comment] = addReview(host, place, { state: 'COMMENTED', body: '', lines: [draft] }).lines;
  return comment as HostLineComment;
}

export function editLineComment(
  host: HostState,
  place: ActPlace & { subject: PullSubject },
  { comment, body }: { comment: HostLineComment; body: string },
): void {
  const now = host.clock.now();
  Object.assign(comment, { body, updatedAt: now });
  const payload = {
    pull_request: pullWire(host, place.repo, place.subject),
    comment: lineCommentWire(host, place, comment),
  };
  tell(host, place, { name: 'pull_request_review_comment', action: 'edited', payload });
}
