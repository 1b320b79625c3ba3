import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Repo, SluiceClient } from '@sluice/client';
import { parseRepoAddress } from '@sluice/core/repo';
import { allRepos, findRepo } from '../session/find-by-suffix.ts';
import { callerFolder, gitEnvironment, ownCommand } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import { type RepoReference, repoRoot } from './repo-address.ts';

type Repos = Pick<SluiceClient, 'repos' | 'auth'>;

interface Registered {
  readonly id: string;
  readonly name: string;
}

const run = promisify(execFile);

/**
 * The id of the repository that a command is about: the one that the user names, else that of the current folder.
 *
 * @throws CommandError when there is no such repository, or the current folder is none of the registered ones
 */
export async function chosenRepo(client: Repos, given: string | undefined): Promise<string> {
  if (given !== undefined && !/^(\.{0,2}\/|\.{1,2}$)/.test(given)) return await findRepo(client, given);
  const folder = resolve(callerFolder(), given ?? '.');
  const root = await rootOf(folder);
  if (root === null) {
    throw new CommandError(
      exitCode.usage,
      `${folder} is in no git repository, so name one of yours: --repo NAME. List them with: ${ownCommand()} repos list`,
    );
  }
  const found = await registeredAt(client, root);
  if (found !== null) return found.id;
  throw new CommandError(
    exitCode.notFound,
    `The repository in ${root} is not registered: neither its path nor one of its remotes is. Add it with: ${ownCommand()} repos add, or name another one: --repo NAME`,
  );
}

/** The registered repository of the current folder, or null. */
export async function currentRepo(client: Repos): Promise<Registered | null> {
  const root = await rootOf(callerFolder());
  return root === null ? null : await registeredAt(client, root);
}

/** The id of the registration of a repository, or null. A request to register it again would count against the rate limit. */
export async function registrationOf(client: Repos, repo: RepoReference): Promise<string | null> {
  const key = 'url' in repo ? addressKey(repo.url, '/') : null;
  const same: Repo[] = [];
  for await (const one of allRepos(client)) {
    const { name, url, provider } = one;
    const isSame = 'url' in repo ? key !== null && addressKey(url, '/') === key : name === repo.codehost_repo;
    if (isSame && ('url' in repo || provider === 'codehost')) same.push(one);
  }
  return (await preferred(client, same))?.id ?? null;
}

/**
 * The user's own registration among several of one repository: anybody can register it too, and add others as members.
 */
async function preferred(client: Repos, same: readonly Repo[]): Promise<Repo | undefined> {
  if (same.length < 2) return same[0];
  const { id: me } = await client.auth.me.query();
  return same.find(({ registered_by: by }) => by === me) ?? same[0];
}

async function rootOf(folder: string): Promise<string | null> {
  try {
    return repoRoot(await realpath(folder));
  } catch {
    return null;
  }
}

/** The registration of the repository in `root`: of its remote `origin` first, then of another remote, then of its path. */
async function registeredAt(client: Repos, root: string): Promise<Registered | null> {
  const addresses = [...(await remotesOf(root)), root].map((address) => addressKey(address, root));
  const registered = Map.groupBy(await Array.fromAsync(allRepos(client)), ({ url }) => addressKey(url, '/') ?? '');
  for (const address of addresses) {
    const found = await preferred(client, address === null ? [] : (registered.get(address) ?? []));
    if (found !== undefined) return found;
  }
  return null;
}

/** The URLs of the remotes, `origin` first. */
async function remotesOf(root: string): Promise<string[]> {
  const list = ['-C', root, 'config', '--get-regexp', '^remote\\..*\\.url$'];
  const { stdout } = await run('git', list, { env: gitEnvironment() }).catch(() => ({ stdout: '' })); // no remotes
  const remotes = [...stdout.matchAll(/^remote\.(.*)\.url (.*)$/gm)].map(([, name, url = '']) => ({ name, url }));
  const rank = (name: string | undefined) => (name === 'origin' ? 0 : name === 'upstream' ? 1 : 2);
  return remotes.toSorted((a, b) => rank(a.name) - rank(b.name)).map(({ url }) => url);
}

const SCP = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.+)$/;
const SSH = /^(?:ssh|git\+ssh|git):\/\/(?:[\w.-]+@)?([\w.-]+)(?::\d+)?\/(.+)$/;
const HTTP = /^https?:\/\/(?:[^/@]*@)?([^/]+)\/(.+)$/;

/** One spelling for every address of a repository: `git@host:acme/shop.git` and `https://host/acme/shop` are the same. */
export function addressKey(address: string, folder: string): string | null {
  const [, host, path] = HTTP.exec(address) ?? SSH.exec(address) ?? SCP.exec(address) ?? [];
  const isPath = host === undefined && !/^[a-z+]+:\/\//i.test(address);
  try {
    const parsed = parseRepoAddress(isPath ? resolve(folder, address) : host ? `https://${host}/${path}` : address);
    return parsed.kind === 'https' ? parsed.canonical : parsed.path.replace(/\/\.git$/, '');
  } catch {
    return null; // a scheme that Sluice does not read
  }
}
