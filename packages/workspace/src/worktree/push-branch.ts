import { AppError } from '@sluice/core/error';
import type { RepoAccess } from '@sluice/core/workspace';
import { GitExit } from '../git/git-failure.ts';
import { LISTING_MEMORY_BYTES } from '../git/git-limits.ts';
import { type RemotePolicy, reachRemote } from '../git/reach-remote.ts';
import { packProgram, type ReachedRemote } from '../git/reached-remote.ts';
import { type CommitContext, madeRef, treeOf } from './commit-tree.ts';
import { intoPacks } from './pack-files.ts';
import { withToken } from './with-token.ts';

export interface PushContext extends Pick<CommitContext, 'tree' | 'issueId' | 'branch' | 'locked'> {
  readonly policy: RemotePolicy;
  readonly repo: RepoAccess;
  readonly baseBranch: string;
  readonly timeoutMs: number;
  /** Asked right before git sends the branch: the looks at the remote take seconds. */
  readonly beforeWrite: (() => Promise<void>) | undefined;
  /** Where the clone is, and how large it may become. */
  readonly clone: { readonly path: string; readonly maxBytes: number };
}

/**
 * Pushes a commit as the issue's branch: makes the branch, replaces a commit that we made ourselves, or does nothing
 * when it is there already. The remote itself checks, in the same act, that the branch still is what we saw.
 *
 * @throws AppError `branch_taken` when the branch holds commits of others, `base_branch_missing` when a follow-up's was
 * deleted, `push_rejected` when the remote refuses it
 */
export async function pushBranch(context: PushContext, headCommit: string, signal: AbortSignal): Promise<void> {
  const expected = await remoteTip(context, signal);
  if (expected === headCommit) return;
  if (expected === null && context.branch === context.baseBranch) throw deleted(context);
  if (expected !== null && !(await isOurs(context, { tip: expected, headCommit }, signal))) throw taken(context);
  const failure = await push(context, { headCommit, expected: expected ?? '' }, signal);
  if (failure === null) return;
  const tip = await remoteTip(context, signal);
  if (tip === headCommit) return;
  throw tip === expected ? failure : taken(context);
}

async function remoteTip(context: PushContext, signal: AbortSignal): Promise<string | null> {
  const ref = `refs/heads/${context.branch}`;
  const { stdout } = await atRemote(context, signal, (remote, call) =>
    context.tree.git.run(['ls-remote', ...packProgram(remote, 'upload-pack'), '--', remote.url, ref], {
      ...call,
      memoryBytes: LISTING_MEMORY_BYTES,
    }),
  );
  const line = stdout
    .toString('utf8')
    .split('\n')
    .find((text) => text.endsWith(`\t${ref}`));
  return line?.split('\t')[0] ?? null;
}

/**
 * Whether the commit at the remote is one of ours: by our own record, or, when that is lost with the cache, because
 * it holds exactly what we are about to push, in our name: editing only the message makes a different commit.
 */
async function isOurs(
  context: PushContext,
  commits: { tip: string; headCommit: string },
  signal: AbortSignal,
): Promise<boolean> {
  const { tree, issueId } = context;
  // A follow-up goes on with the branch that it stands on, from where that was then.
  if (context.branch === context.baseBranch && commits.tip === tree.baseCommit) return true;
  const at = { gitDir: tree.paths.gitDir };
  const recorded = await tree.git.run(['rev-parse', '-q', '--verify', madeRef(issueId, commits.tip)], {
    at,
    answers: [0, 1, 128],
    signal,
  });
  if (recorded.exitCode === 0) return true;
  const options = ['-q', '--no-write-fetch-head', '--no-tags', '--update-shallow'];
  await atRemote(context, signal, (remote, call) => {
    const from = [...packProgram(remote, 'upload-pack'), '--', remote.url, `refs/heads/${context.branch}`];
    const { path, maxBytes } = context.clone;
    return context.locked(signal, () =>
      intoPacks(path, maxBytes, (fileBytes) =>
        tree.git.run(['fetch', ...options, ...from], { ...call, fileBytes, fills: path }),
      ),
    );
  });
  const { stdout } = await tree.git.run(['rev-list', '-n1', '--parents', '--end-of-options', commits.tip], {
    at,
    signal,
  });
  const alone = stdout.toString('utf8').trim() === `${commits.tip} ${tree.baseCommit}`;
  const isSame = async (of: typeof treeOf) =>
    (await of(tree, commits.tip, signal)) === (await of(tree, commits.headCommit, signal));
  return alone && (await isSame(treeOf)) && (await isSame(makersOf));
}

/** Author and committer of a commit. */
async function makersOf({ git, paths }: PushContext['tree'], commit: string, signal: AbortSignal): Promise<string> {
  const format = '--format=%an%x00%ae%x00%cn%x00%ce';
  const { stdout } = await git.run(['show', '-s', '--no-mailmap', format, '--end-of-options', commit], {
    at: { gitDir: paths.gitDir },
    signal,
  });
  return stdout.toString('utf8');
}

const NOT_TAKEN = 1; // the exit code of a push whose remote answered

/** @returns what the remote has against it, or what became of the call where it said nothing; null when it took the branch */
async function push(
  context: PushContext,
  commits: { headCommit: string; expected: string },
  signal: AbortSignal,
): Promise<AppError | null> {
  const ref = `refs/heads/${context.branch}`;
  const options = ['--porcelain', '--no-verify', '--no-follow-tags', `--force-with-lease=${ref}:${commits.expected}`];
  try {
    await atRemote(context, signal, async (remote, call) => {
      const to = [...packProgram(remote, 'receive-pack'), '--', remote.url, `${commits.headCommit}:${ref}`];
      await context.beforeWrite?.();
      await context.tree.git.run(['push', ...options, ...to], call);
    });
    return null;
  } catch (error) {
    const isAnswered =
      error instanceof AppError && error.cause instanceof GitExit && error.cause.exitCode === NOT_TAKEN;
    if (!isAnswered) throw error;
    return error;
  }
}

async function atRemote<T>(
  { policy, repo, tree, timeoutMs }: PushContext,
  signal: AbortSignal,
  run: (remote: ReachedRemote, call: RemoteCall) => Promise<T>,
): Promise<T> {
  const remote = await reachRemote(policy, repo, signal);
  const call = { at: { gitDir: tree.paths.gitDir }, remote, byAccount: repo.byAccount, timeoutMs, signal };
  return await withToken(repo, signal, (token) => run(remote, { ...call, token }));
}

interface RemoteCall {
  readonly at: { readonly gitDir: string };
  readonly remote: ReachedRemote;
  readonly token: string | null;
  readonly byAccount: boolean | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

function taken({ branch, baseBranch }: PushContext): AppError {
  // A follow-up's branch is a pull request's: to delete it there would close that.
  const detail =
    branch === baseBranch
      ? `The branch "${branch}" has changed at the remote since work on it began, and nothing was pushed over those changes: ask again with a new comment to start from the branch as it is now.`
      : `The branch "${branch}" exists at the remote with commits that Sluice did not make: rename or delete it there.`;
  return new AppError('branch_taken', { detail });
}

/** With the end of a pull request, as a rule: people who deleted its branch do not want it back. */
function deleted({ branch }: PushContext): AppError {
  const detail = `The branch "${branch}" was deleted at the remote since work on it began, and is not restored.`;
  return new AppError('base_branch_missing', { detail });
}
