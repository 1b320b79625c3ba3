import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@sluice/core/error';
import type { RepoAccess } from '@sluice/core/workspace';
import type { Git } from '../git/git.ts';
import { refusalOf } from '../git/git-failure.ts';
import { type RemotePolicy, reachRemote } from '../git/reach-remote.ts';
import { packProgram } from '../git/reached-remote.ts';
import { isPresent } from './is-present.ts';
import { intoPacks, listPacks } from './pack-files.ts';
import type { Trash } from './trash.ts';
import { withToken } from './with-token.ts';
import { cachePath, type WorkspaceLayout } from './workspace-layout.ts';

export interface RepoCacheContext {
  readonly git: Git;
  readonly layout: WorkspaceLayout;
  readonly policy: RemotePolicy;
  readonly trash: Trash;
  readonly fetchTimeoutMs: number;
  /** The packs of one clone together. */
  readonly cloneBytes: number;
}

/**
 * Never `--mirror`: its refspec lets a fetch delete our own branches. The origin's branches live apart from ours, as
 * `git remote add` has it too.
 */
const REFSPEC = '+refs/heads/*:refs/remotes/origin/*';

/**
 * Files that commands leave behind and repositories often forget to ignore. A repository's own `.gitignore` has the
 * last word.
 */
const EXCLUDED = ['node_modules/', '__pycache__/', '*.pyc', '.pytest_cache/', '.venv/', '.DS_Store', ''].join('\n');

/**
 * Files lie in the tree byte for byte as in their blobs. Converted, a file whose blob is not in the form that the
 * repository's attributes ask for (line ends, `$Id$`) counts as changed as soon as it is checked out, and would be
 * published with a change that never touched it. `!` as git knows no other way to have no encoding.
 */
const ATTRIBUTES = '* -text -ident -filter !working-tree-encoding\n';

/**
 * Finds the cache of a registration, or makes it. Made apart and renamed to its place when whole, so that a process
 * that dies in a long clone leaves nothing half. Only under the repository's lock.
 *
 * @returns whether it was made, so that its branches are as of now
 */
export async function ensureCache(context: RepoCacheContext, repo: RepoAccess, signal: AbortSignal): Promise<boolean> {
  const cache = cachePath(context.layout, repo.repoId);
  if (await isPresent(cache)) return false;
  const fresh = join(context.layout.unfinished, `${repo.repoId}.git`);
  await context.trash.take(fresh); // of a process that died in its clone
  try {
    // Readable by the issues' own users, whatever our umask: the folder above admits only the sandbox.
    await context.git.run(['init', '-q', '--bare', '--shared=0644', '--template=', '--', fresh], { signal });
    await context.git.run(['remote', 'add', '--', 'origin', repo.url], { at: { gitDir: fresh }, signal });
    await mkdir(join(fresh, 'info'), { recursive: true });
    await writeFile(join(fresh, 'info', 'exclude'), EXCLUDED);
    await writeFile(join(fresh, 'info', 'attributes'), ATTRIBUTES);
    await fetchBranches(context, { repo, cache: fresh }, signal);
    // Thousands of branches as single files would slow down every later call.
    await context.git.run(['pack-refs', '--all'], { at: { gitDir: fresh }, signal });
    await rename(fresh, cache);
    return true;
  } finally {
    await context.trash.take(fresh);
  }
}

/** Brings the origin's branches up to date. Only under the repository's lock. */
export async function fetchBranches(
  context: RepoCacheContext,
  target: { repo: RepoAccess; cache: string },
  signal: AbortSignal,
): Promise<void> {
  await fetchInto(context, { ...target, what: REFSPEC, option: '--prune' }, signal);
}

/**
 * Fetches a commit by its id, which a remote may allow also for one that no branch holds any more; if not, nothing
 * happens. Only under the repository's lock.
 */
export async function fetchCommit(
  context: RepoCacheContext,
  target: { repo: RepoAccess; cache: string; commit: string },
  signal: AbortSignal,
): Promise<void> {
  await fetchInto(context, { ...target, what: target.commit, option: '--no-tags' }, signal).catch((error: unknown) => {
    const refusal = refusalOf(error);
    if (refusal !== 'commit_absent' && refusal !== 'commit_unadvertised') throw error;
  });
}

/** Paths in which two commits differ, sorted. */
export async function changedPaths(
  git: Git,
  between: { cache: string; from: string; to: string },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { stdout } = await git.run(
    ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--ignore-submodules=none', between.from, between.to],
    {
      at: { gitDir: between.cache },
      signal,
    },
  );
  const paths = stdout.toString('utf8').split('\0');
  return paths.filter((path) => path !== '').sort();
}

/** The commit at which the origin's branch stands, as last fetched. @throws AppError `base_branch_missing` */
export async function branchTip(git: Git, at: { cache: string; branch: string }, signal: AbortSignal): Promise<string> {
  const ref = `refs/remotes/origin/${at.branch}`;
  const { exitCode, stdout } = await git.run(['rev-parse', '-q', '--verify', '--end-of-options', `${ref}^{commit}`], {
    at: { gitDir: at.cache },
    answers: [0, 1, 128],
    signal,
  });
  if (exitCode === 0) return stdout.toString('utf8').trim();
  throw new AppError('base_branch_missing', { detail: `The repository has no branch "${at.branch}".` });
}

/** Whether the cache holds a commit with its tree. */
export async function hasCommit(
  git: Git,
  at: { cache: string; commit: string },
  signal: AbortSignal,
): Promise<boolean> {
  const { exitCode } = await git.run(['cat-file', '-e', `${at.commit}^{tree}`], {
    at: { gitDir: at.cache },
    answers: [0, 1, 128],
    signal,
  });
  return exitCode === 0;
}

/** The number of packs that git itself leaves alone. */
const MANY_PACKS = 50;

/** Loose objects in one of the 256 folders from which git itself would tidy up: some 7 000 in all. */
const LOOSE_IN_ONE_FOLDER = 27;

/**
 * Packs the cache when it has grown. git's own maintenance is off: it would run beside other calls. Objects that no ref
 * holds stay for two weeks, as an issue's snapshot may just have been taken. Only under the repository's lock.
 */
export async function tidyCache(context: RepoCacheContext, cache: string, signal: AbortSignal): Promise<void> {
  const loose = await readdir(join(cache, 'objects', '17')).catch((): string[] => []);
  const packs = await listPacks(cache);
  if (loose.length < LOOSE_IN_ONE_FOLDER && packs.filter(({ name }) => name.endsWith('.pack')).length < MANY_PACKS) {
    return;
  }
  const at = { gitDir: cache };
  const timeoutMs = context.fetchTimeoutMs;
  await context.git
    .run(['gc', '-q', '--prune=2.weeks.ago'], { at, timeoutMs, signal, fills: cache })
    .catch((error: unknown) => {
      // An untidy cache is slow, not wrong: the issue goes on.
      signal.throwIfAborted();
      if (!(error instanceof AppError)) throw error;
    });
}

/** Fetches a branch pattern or a commit into a cache. @throws AppError */
async function fetchInto(
  context: RepoCacheContext,
  { repo, cache, what, option }: { repo: RepoAccess; cache: string; what: string; option: '--prune' | '--no-tags' },
  signal: AbortSignal,
): Promise<void> {
  const remote = await reachRemote(context.policy, repo, signal);
  const program = packProgram(remote, 'upload-pack');
  // A shallow clone on this host is a remote like any other: its history ends earlier.
  const options = ['-q', option, '--update-shallow', '--no-write-fetch-head', ...program];
  await intoPacks(cache, context.cloneBytes, (fileBytes) =>
    withToken(repo, signal, (token) =>
      context.git.run(['fetch', ...options, '--', remote.url, what], {
        at: { gitDir: cache },
        remote,
        token,
        byAccount: repo.byAccount,
        timeoutMs: context.fetchTimeoutMs,
        fileBytes,
        fills: cache,
        signal,
      }),
    ),
  );
}
