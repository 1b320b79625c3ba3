import type { HostLabel, HostRepository, HostState, HostSubject, HostText } from '../state/host-state.ts';
import { nameOf } from '../state/host-state.ts';
import { associationOf } from '../state/permission.ts';
import { timeWire, userWire } from './wire-user.ts';

export function labelWire(host: HostState, repo: HostRepository, label: HostLabel) {
  return {
    id: label.id,
    node_id: `LA_${label.id}`,
    url: `${host.apiUrl}/repos/${nameOf(repo)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: 'ededed',
    default: false,
    // Null at the host too where there is none, although its description of pull requests says otherwise.
    description: '',
  };
}

/** The wire form of an issue; the host lists pull requests among them. */
export function issueWire(host: HostState, repo: HostRepository, subject: HostSubject) {
  const repoUrl = `${host.apiUrl}/repos/${nameOf(repo)}`;
  const url = `${repoUrl}/issues/${subject.number}`;
  const web = `${host.webUrl}/${nameOf(repo)}`;
  const { pull } = subject;
  return {
    url,
    repository_url: repoUrl,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: `${web}/${pull === null ? 'issues' : 'pull'}/${subject.number}`,
    id: subject.id,
    node_id: `I_${subject.id}`,
    number: subject.number,
    title: subject.title,
    user: userWire(host, subject.author),
    labels: subject.labels.map((label) => labelWire(host, repo, label)),
    state: subject.state,
    state_reason: subject.state === 'closed' ? 'completed' : null,
    locked: false,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: subject.comments.length,
    created_at: timeWire(subject.createdAt),
    updated_at: timeWire(subject.updatedAt),
    closed_at: subject.closedAt === null ? null : timeWire(subject.closedAt),
    closed_by: null,
    author_association: associationOf(repo, subject.author),
    active_lock_reason: null,
    body: subject.body === '' ? null : subject.body,
    ...(pull === null
      ? {}
      : {
          draft: pull.draft,
          pull_request: {
            url: `${repoUrl}/pulls/${subject.number}`,
            html_url: `${web}/pull/${subject.number}`,
            diff_url: `${web}/pull/${subject.number}.diff`,
            patch_url: `${web}/pull/${subject.number}.patch`,
            merged_at: pull.mergedAt === null ? null : timeWire(pull.mergedAt),
          },
        }),
  };
}

export function commentWire(host: HostState, place: { repo: HostRepository; subject: HostSubject }, comment: HostText) {
  const { repo, subject } = place;
  const repoUrl = `${host.apiUrl}/repos/${nameOf(repo)}`;
  const kind = subject.pull === null ? 'issues' : 'pull';
  return {
    url: `${repoUrl}/issues/comments/${comment.id}`,
    html_url: `${host.webUrl}/${nameOf(repo)}/${kind}/${subject.number}#issuecomment-${comment.id}`,
    issue_url: `${repoUrl}/issues/${subject.number}`,
    id: comment.id,
    node_id: `IC_${comment.id}`,
    user: userWire(host, comment.author),
    created_at: timeWire(comment.createdAt),
    updated_at: timeWire(comment.updatedAt),
    author_association: associationOf(repo, comment.author),
    body: comment.body,
    performed_via_github_app: null,
  };
}
