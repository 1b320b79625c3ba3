import type { HostPermission, HostRepository, HostState } from '../state/host-state.ts';
import { nameOf } from '../state/host-state.ts';
import { atLeast } from '../state/permission.ts';
import { timeWire, userWire } from './wire-user.ts';

/** The parts below a repository's own address: the member's name, and the path after it. */
const parts = {
  archive: '{archive_format}{/ref}',
  assignees: 'assignees{/user}',
  blobs: 'git/blobs{/sha}',
  branches: 'branches{/branch}',
  collaborators: 'collaborators{/collaborator}',
  comments: 'comments{/number}',
  commits: 'commits{/sha}',
  compare: 'compare/{base}...{head}',
  contents: 'contents/{+path}',
  contributors: 'contributors',
  deployments: 'deployments',
  downloads: 'downloads',
  events: 'events',
  forks: 'forks',
  git_commits: 'git/commits{/sha}',
  git_refs: 'git/refs{/sha}',
  git_tags: 'git/tags{/sha}',
  hooks: 'hooks',
  issue_comment: 'issues/comments{/number}',
  issue_events: 'issues/events{/number}',
  issues: 'issues{/number}',
  keys: 'keys{/key_id}',
  labels: 'labels{/name}',
  languages: 'languages',
  merges: 'merges',
  milestones: 'milestones{/number}',
  notifications: 'notifications{?since,all,participating}',
  pulls: 'pulls{/number}',
  releases: 'releases{/id}',
  stargazers: 'stargazers',
  statuses: 'statuses/{sha}',
  subscribers: 'subscribers',
  subscription: 'subscription',
  tags: 'tags',
  teams: 'teams',
  trees: 'git/trees{/sha}',
};

/** A repository as the fake host answers it. @param permission what the asking account may do, as its `permissions` */
export function repoWire(host: HostState, repo: HostRepository, permission: HostPermission) {
  const fullName = nameOf(repo);
  const url = `${host.apiUrl}/repos/${fullName}`;
  const web = `${host.webUrl}/${fullName}`;
  const open = repo.subjects.filter((subject) => subject.state === 'open' && !subject.deleted).length;
  return {
    id: repo.id,
    node_id: `R_${repo.id}`,
    name: repo.name,
    full_name: fullName,
    private: repo.private,
    owner: userWire(host, repo.owner),
    html_url: web,
    description: repo.description,
    fork: false,
    url,
    ...Object.fromEntries(Object.entries(parts).map(([name, path]) => [`${name}_url`, `${url}/${path}`])),
    created_at: timeWire(repo.createdAt),
    updated_at: timeWire(repo.pushedAt),
    pushed_at: timeWire(repo.pushedAt),
    git_url: `git://${new URL(host.webUrl).host}/${fullName}.git`,
    ssh_url: `git@${new URL(host.webUrl).hostname}:${fullName}.git`,
    clone_url: `${web}.git`,
    svn_url: web,
    homepage: null,
    size: 1,
    stargazers_count: 0,
    watchers_count: 0,
    language: null,
    has_issues: true,
    has_projects: true,
    has_downloads: true,
    has_wiki: true,
    has_pages: false,
    has_discussions: false,
    forks_count: 0,
    mirror_url: null,
    archived: false,
    disabled: false,
    open_issues_count: open,
    license: null,
    allow_forking: true,
    is_template: false,
    web_commit_signoff_required: false,
    topics: [],
    visibility: repo.private ? 'private' : 'public',
    forks: 0,
    open_issues: open,
    watchers: 0,
    default_branch: repo.defaultBranch,
    permissions: permissionsWire(permission),
    network_count: 0,
    subscribers_count: 0,
  };
}

export function permissionsWire(permission: HostPermission) {
  return {
    admin: atLeast(permission, 'admin'),
    maintain: atLeast(permission, 'maintain'),
    push: atLeast(permission, 'write'),
    triage: atLeast(permission, 'triage'),
    pull: atLeast(permission, 'read'),
  };
}
