import {
  type HostEvent,
  type HostRepository,
  type HostState,
  type HostSubject,
  type HostText,
  nameOf,
} from '../state/host-state.ts';
import type { HostUser } from '../state/host-user.ts';
import { commentWire, issueWire, labelWire } from '../wire/wire-issue.ts';
import { fullPullWire, isPull } from '../wire/wire-pull.ts';

/** Where something is done, and by whom. */
export interface ActPlace {
  readonly repo: HostRepository;
  readonly subject: HostSubject;
  readonly by: HostUser;
}

/** Tells the webhooks of something that happened to an issue or a pull request. */
export function tell(host: HostState, place: ActPlace, event: Pick<HostEvent, 'name' | 'action' | 'payload'>): void {
  host.emit({ repo: place.repo, sender: place.by, ...event });
}

/** The event of the subject itself: `issues`, or `pull_request`. */
export function tellOfSubject(host: HostState, place: ActPlace, change: { action: string; more?: object }): void {
  const { repo, subject } = place;
  const own = isPull(subject)
    ? { name: 'pull_request', payload: { number: subject.number, pull_request: fullPullWire(host, repo, subject) } }
    : { name: 'issues', payload: { issue: issueWire(host, repo, subject) } };
  tell(host, place, { name: own.name, action: change.action, payload: { ...own.payload, ...change.more } });
}

export function newSubject(
  host: HostState,
  repo: HostRepository,
  draft: Omit<HostSubjectDraft, 'labels'>,
): HostSubject {
  const now = host.clock.now();
  return {
    id: host.nextId(),
    number: 1 + Math.max(0, ...repo.subjects.map(({ number }) => number)),
    state: 'open',
    deleted: false,
    createdAt: now,
    updatedAt: now,
    closedAt: null,
    comments: [],
    labels: [],
    pull: null,
    ...draft,
  };
}

export interface HostSubjectDraft {
  readonly number?: number;
  readonly title: string;
  readonly body: string;
  readonly author: HostUser;
  readonly labels: readonly string[];
}

export function openIssue(host: HostState, repo: HostRepository, draft: HostSubjectDraft): HostSubject {
  const { labels, ...rest } = draft;
  const subject = newSubject(host, repo, rest);
  repo.subjects.push(subject);
  subject.labels = labels.map((name) => labelNamed(host, repo, name));
  tellOfSubject(host, { repo, subject, by: draft.author }, { action: 'opened' });
  return subject;
}

export function setLabel(host: HostState, place: ActPlace, change: { name: string; present: boolean }): void {
  const { repo, subject } = place;
  const label = labelNamed(host, repo, change.name);
  if (subject.labels.includes(label) === change.present) return;
  subject.labels = change.present ? [...subject.labels, label] : subject.labels.filter((other) => other !== label);
  subject.updatedAt = host.clock.now();
  const action = change.present ? 'labeled' : 'unlabeled';
  tellOfSubject(host, place, { action, more: { label: labelWire(host, repo, label) } });
}

export function addComment(host: HostState, place: ActPlace, body: string): HostText {
  const now = host.clock.now();
  const comment: HostText = { id: host.nextId(), author: place.by, body, createdAt: now, updatedAt: now };
  place.subject.comments.push(comment);
  place.subject.updatedAt = now;
  tellOfComment(host, place, { action: 'created', comment });
  return comment;
}

export function editComment(host: HostState, place: ActPlace, change: { comment: HostText; body: string }): void {
  const now = host.clock.now();
  change.comment.body = change.body;
  change.comment.updatedAt = now;
  place.subject.updatedAt = now;
  tellOfComment(host, place, { action: 'edited', comment: change.comment });
}

export function setState(host: HostState, place: ActPlace, state: HostSubject['state']): void {
  if (place.subject.state === state) return;
  const now = host.clock.now();
  place.subject.state = state;
  place.subject.closedAt = state === 'closed' ? now : null;
  place.subject.updatedAt = now;
  tellOfSubject(host, place, { action: state === 'closed' ? 'closed' : 'reopened' });
}

function tellOfComment(host: HostState, place: ActPlace, { action, comment }: { action: string; comment: HostText }) {
  const payload = {
    issue: issueWire(host, place.repo, place.subject),
    comment: commentWire(host, place, comment),
  };
  tell(host, place, { name: 'issue_comment', action, payload });
}

function labelNamed(host: HostState, repo: HostRepository, name: string) {
  const found = repo.labels.find((label) => label.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const label = { id: host.nextId(), name };
  repo.labels.push(label);
  return label;
}

/** The `push` event, which has no action. */
export function tellOfPush(
  host: HostState,
  repo: HostRepository,
  push: { by: HostUser; branch: string; commit: string },
): void {
  const ref = `refs/heads/${push.branch}`;
  const compare = `${host.webUrl}/${nameOf(repo)}/commits/${push.branch}`;
  host.emit({
    repo,
    name: 'push',
    action: null,
    sender: push.by,
    payload: { ref, after: push.commit, compare, pusher: { name: push.by.login, email: push.by.email } },
  });
}
