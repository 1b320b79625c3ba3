import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkpoint, CommitRequest } from '@sluice/core/workspace';
import type { GitPlace } from '../git/git.ts';
import { readCheckpoint } from './read-patch.ts';
import { parentsOf, type WorkingTree, withSnapshot } from './working-tree.ts';

export interface Author {
  readonly name: string;
  readonly email: string;
}

/** What a commit needs to know besides the tree. */
export interface CommitContext {
  readonly tree: WorkingTree;
  /** The clone that holds the refs. */
  readonly cache: string;
  readonly issueId: string;
  readonly branch: string;
  readonly author: Author;
  /** Whether the base contains the merged commit. */
  mergesNothing(signal: AbortSignal): Promise<boolean>;
  /** Runs a change of the cache's refs, alone. */
  locked<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Throws where a tree has content that must not be committed. */
  refuseContent(treeId: string, signal: AbortSignal): Promise<void>;
}

/** Our own record of the commits that we made for an issue: what a push may replace. */
export function madeRef(issueId: string, commit = ''): string {
  return `refs/sluice/made/${issueId}/${commit}`;
}

/**
 * One commit on the base, holding the whole change; the branch points to it. The same tree gives the commit that was
 * made for it before, so a repeat after a crash makes no second one. Null when the tree is the base's, and nothing is merged.
 */
export async function commitTree(context: CommitContext, request: CommitRequest): Promise<Checkpoint | null> {
  const { tree, issueId } = context;
  const { signal } = request;
  const at: GitPlace = { gitDir: tree.paths.gitDir };
  return withSnapshot(tree, signal, async ({ treeId, indexFile }) => {
    const isAsBefore = treeId === (await treeOf(tree, tree.baseCommit, signal));
    if (isAsBefore && (tree.mergeCommit === null || (await context.mergesNothing(signal)))) return null;
    await context.refuseContent(treeId, signal);
    const commit = await context.locked(signal, async () => {
      const made = await findMade(context, treeId, signal);
      const chosen = made ?? (await makeCommit(context, treeId, request));
      const refs = [
        `update refs/heads/${context.branch} ${chosen}`,
        `update ${madeRef(issueId, chosen)} ${chosen}`,
        '',
      ].join('\n');
      await tree.git.run(['update-ref', '--stdin'], { at, input: refs, signal });
      // So that `git status` in the tree shows it clean.
      await rename(indexFile, join(tree.paths.gitDir, 'index'));
      return chosen;
    });
    return readCheckpoint(tree, commit, signal);
  });
}

/** The commit made before for a tree on the same parents. */
export async function findMade(
  context: Pick<CommitContext, 'tree' | 'issueId'>,
  treeId: string,
  signal: AbortSignal,
): Promise<string | null> {
  const { tree, issueId } = context;
  const { stdout } = await tree.git.run(
    ['for-each-ref', '--format=%(tree) %(parent) %(objectname)', '--', madeRef(issueId)],
    { at: { gitDir: tree.paths.gitDir }, signal },
  );
  const prefix = `${treeId} ${parentsOf(tree).join(' ')} `;
  const line = stdout
    .toString('utf8')
    .split('\n')
    .find((text) => text.startsWith(prefix) && !text.slice(prefix.length).includes(' ')); // or it has more parents
  return line === undefined ? null : line.slice(prefix.length);
}

export async function treeOf(tree: WorkingTree, commit: string, signal: AbortSignal): Promise<string> {
  const { stdout } = await tree.git.run(['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`], {
    at: { gitDir: tree.paths.gitDir },
    signal,
  });
  return stdout.toString('utf8').trim();
}

async function makeCommit(context: CommitContext, treeId: string, request: CommitRequest): Promise<string> {
  const { tree, author } = context;
  const { stdout } = await tree.git.run(
    ['commit-tree', ...parentsOf(tree).flatMap((parent) => ['-p', parent]), '-F', '-', treeId],
    {
      at: { gitDir: tree.paths.gitDir },
      input: `${request.message.replaceAll('\0', '').trimEnd()}\n`,
      env: {
        GIT_AUTHOR_NAME: author.name,
        GIT_AUTHOR_EMAIL: author.email,
        GIT_COMMITTER_NAME: author.name,
        GIT_COMMITTER_EMAIL: author.email,
      },
      signal: request.signal,
    },
  );
  return stdout.toString('utf8').trim();
}
