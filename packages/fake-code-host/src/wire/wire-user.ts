import type { HostState } from '../state/host-state.ts';
import type { HostUser } from '../state/host-user.ts';

/** The short form of an account, as it stands in everything that somebody made. */
export function userWire(host: HostState, user: HostUser) {
  const url = `${host.apiUrl}/users/${user.login}`;
  return {
    login: user.login,
    id: user.id,
    node_id: `U_${user.id}`,
    avatar_url: `${host.webUrl}/avatars/u/${user.id}?v=4`,
    gravatar_id: '',
    url,
    html_url: `${host.webUrl}/${user.login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: user.kind,
    site_admin: false,
  };
}

/** The long form, for anybody. */
export function publicUserWire(host: HostState, user: HostUser) {
  return {
    ...userWire(host, user),
    user_view_type: 'public',
    name: user.name,
    company: null,
    blog: '',
    location: null,
    email: user.email,
    hireable: null,
    bio: null,
    twitter_username: null,
    public_repos: host.repos.filter((repo) => repo.owner === user && !repo.private).length,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: '2020-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  };
}

/** The long form, for its owner. */
export function ownUserWire(host: HostState, user: HostUser) {
  return {
    ...publicUserWire(host, user),
    user_view_type: 'private',
    notification_email: user.email,
    private_gists: 0,
    total_private_repos: host.repos.filter((repo) => repo.owner === user && repo.private).length,
    owned_private_repos: host.repos.filter((repo) => repo.owner === user && repo.private).length,
    disk_usage: 0,
    collaborators: 0,
    two_factor_authentication: true,
  };
}

/** The host's times have no milliseconds. */
export function timeWire(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z');
}
