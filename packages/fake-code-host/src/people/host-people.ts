import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitTo, gitIn } from '../state/bare-repository.ts';
import { noBuilds } from '../state/host-build.ts';
import {
  findRepo,
  findUser,
  type HostPermission,
  type HostRepository,
  type HostState,
  type HostSubject,
} from '../state/host-state.ts';
import type { HostUser } from '../state/host-user.ts';
import { isPull, type PullSubject } from '../wire/wire-pull.ts';
import { userWire } from '../wire/wire-user.ts';
import { followBranches } from './pull-acts.ts';
import { tellOfPush } from './subject-acts.ts';

export interface NewHostUser {
  readonly login: string;
  readonly name?: string | null;
  readonly email?: string | null;
  readonly kind?: HostUser['kind'];
}

export interface NewHostRepo {
  /** `owner/name`; the owner must be there. */
  readonly fullName: string;
  /** A local git repository; its branches are taken over. */
  readonly from: string;
  readonly private?: boolean;
  readonly description?: string | null;
  readonly drafts?: boolean;
}

export function addUser(host: HostState, user: NewHostUser): HostUser {
  const { login, name = null, email = null, kind = 'User' } = user;
  const added = { id: host.nextId(), login, name, email, kind };
  host.users.push(added);
  return added;
}

/** Refuses what the real host refuses: a change of workflows by a token that may not change them. */
const guardWorkflows = `#!/bin/sh
[ "$CODEHOST_MAY_WORKFLOW" = no ] || exit 0
while read -r old new ref; do
  case $new in *[!0]*) ;; *) continue ;; esac
  changed=$(git log --format= --name-only "$new" --not --all -- .github/workflows | head -n 1)
  [ -z "$changed" ] && continue
  echo "refusing to allow an OAuth App to create or update workflow \\\`$changed\\\` without \\\`workflow\\\` scope" >&2
  exit 1
done
`;

export async function addRepo(host: HostState, root: string, repo: NewHostRepo): Promise<HostRepository> {
  const [login = '', name = ''] = repo.fullName.split('/');
  const id = host.nextId();
  const path = join(root, `${id}.git`);
  await gitIn(root, ['clone', '-q', '--bare', '--no-local', repo.from, path]);
  await gitIn(path, ['remote', 'remove', 'origin']);
  writeFileSync(join(path, 'hooks', 'pre-receive'), guardWorkflows, { mode: 0o755 });
  const now = host.clock.now();
  const added: HostRepository = {
    id,
    owner: userNamed(host, login),
    name,
    private: repo.private ?? false,
    description: repo.description ?? null,
    defaultBranch: await gitIn(path, ['symbolic-ref', '--short', 'HEAD']),
    path,
    drafts: repo.drafts ?? true,
    permissions: new Map(),
    labels: [],
    subjects: [],
    builds: noBuilds(),
    formerNames: [],
    createdAt: now,
    pushedAt: now,
  };
  host.repos.push(added);
  return added;
}

export function setPermission(host: HostState, fullName: string, who: { login: string; permission: HostPermission }) {
  const repo = repoNamed(host, fullName);
  const member = userNamed(host, who.login);
  const action = who.permission === 'none' ? 'removed' : repo.permissions.has(member) ? 'edited' : 'added';
  if (who.permission === 'none') repo.permissions.delete(member);
  else repo.permissions.set(member, who.permission);
  host.emit({ repo, name: 'member', action, sender: repo.owner, payload: { member: userWire(host, member) } });
}

export interface HandPush {
  readonly by: string;
  readonly branch: string;
  /** File name to text; null removes it. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly message?: string;
}

/** Commits to a branch on another machine and pushes it. @returns the commit */
export async function pushByHand(host: HostState, repo: HostRepository, push: HandPush): Promise<string> {
  const by = userNamed(host, push.by);
  const folder = mkdtempSync(join(tmpdir(), 'sluice-codehost-push-'));
  try {
    const author = { name: by.name ?? by.login, email: by.email ?? `${by.login}@localhost` };
    const commit = await commitTo(repo, { ...push, author, at: host.clock.now() }, join(folder, 'work'));
    repo.pushedAt = host.clock.now();
    await followBranches(host, repo, by);
    tellOfPush(host, repo, { by, branch: push.branch, commit });
    return commit;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function userNamed(host: HostState, login: string): HostUser {
  return findUser(host, login) ?? missing(`user ${login}`);
}

export function repoNamed(host: HostState, fullName: string): HostRepository {
  return findRepo(host, fullName) ?? missing(`repository ${fullName}`);
}

export function subjectOf(repo: HostRepository, number: number): HostSubject {
  return repo.subjects.find((subject) => subject.number === number) ?? missing(`#${number}`);
}

export function pullOf(repo: HostRepository, number: number): PullSubject {
  const subject = subjectOf(repo, number);
  return isPull(subject) ? subject : missing(`pull request #${number}`);
}

function missing(what: string): never {
  throw new Error(`The code host has no ${what}.`);
}
