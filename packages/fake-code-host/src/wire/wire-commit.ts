import type { HostCommit } from '../state/host-commit.ts';
import { type HostRepository, type HostState, nameOf } from '../state/host-state.ts';
import { userWire } from './wire-user.ts';

export function commitWire(host: HostState, repo: HostRepository, commit: HostCommit) {
  const repoUrl = `${host.apiUrl}/repos/${nameOf(repo)}`;
  const web = `${host.webUrl}/${nameOf(repo)}/commit`;
  const { sha, tree, parents, author, committer, message } = commit;
  return {
    url: `${repoUrl}/commits/${sha}`,
    sha,
    node_id: `C_${sha}`,
    html_url: `${web}/${sha}`,
    comments_url: `${repoUrl}/commits/${sha}/comments`,
    commit: {
      url: `${repoUrl}/git/commits/${sha}`,
      author,
      committer,
      message,
      comment_count: 0,
      tree: { sha: tree, url: `${repoUrl}/git/trees/${tree}` },
      verification: { verified: false, reason: 'unsigned', payload: null, signature: null, verified_at: null },
    },
    author: accountWire(host, author.email),
    committer: accountWire(host, committer.email),
    parents: parents.map((parent) => ({
      sha: parent,
      url: `${repoUrl}/commits/${parent}`,
      html_url: `${web}/${parent}`,
    })),
  };
}

/** The account that an e-mail address belongs to; null for an address of none. */
function accountWire(host: HostState, email: string) {
  const user = host.users.find((one) => (one.email ?? `${one.login}@localhost`) === email);
  return user === undefined ? null : userWire(host, user);
}
