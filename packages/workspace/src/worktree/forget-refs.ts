import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Git } from '../git/git.ts';
import { madeRef } from './commit-tree.ts';
import { savedTreeRef } from './save-tree.ts';

/**
 * Removes what a clone still names of an issue that is over: its branch, the record of its commits and the tree kept beside them. Their objects
 * go with the clone's next clean-up. Needs the repository's lock, and the issue's part of the clone still there.
 */
export async function forgetRefs(
  git: Git,
  { cache, gitDir, issueId }: { cache: string; gitDir: string; issueId: string },
): Promise<void> {
  const at = { gitDir: cache };
  const branch = await branchOf(gitDir);
  const isOthers = branch !== null && (await branchesOfOthers(cache, gitDir)).has(branch);
  const patterns = [madeRef(issueId), savedTreeRef(issueId), ...(branch === null || isOthers ? [] : [branch])];
  const { stdout } = await git.run(['for-each-ref', '--format=delete %(refname)', '--', ...patterns], { at });
  await git.run(['update-ref', '--stdin'], { at, input: stdout.toString('utf8') });
}

async function branchOf(gitDir: string): Promise<string | null> {
  const head = await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => '');
  return /^ref: (refs\/heads\/\S+)$/m.exec(head)?.[1] ?? null;
}

/** A follow-up works on the branch of the issue before it. */
async function branchesOfOthers(cache: string, gitDir: string): Promise<ReadonlySet<string | null>> {
  const names = await readdir(join(cache, 'worktrees')).catch((): string[] => []);
  const others = names.filter((name) => name !== basename(gitDir));
  return new Set(await Promise.all(others.map((name) => branchOf(join(cache, 'worktrees', name)))));
}
