import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../git/git.ts';
import { madeRef } from './commit-tree.ts';
import { keptRef } from './keep-tree.ts';

/**
 * Removes what a clone still names of an issue that is over: its branch, the record of its commits and the tree kept beside them. Their objects
 * go with the clone's next clean-up. Needs the repository's lock, and the issue's part of the clone still there.
 */
export async function forgetRefs(
  git: Git,
  { cache, gitDir, issueId }: { cache: string; gitDir: string; issueId: string },
): Promise<void> {
  const at = { gitDir: cache };
  const head = await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => '');
  const branch = /^ref: (refs\/heads\/\S+)$/m.exec(head)?.[1];
  const patterns = [madeRef(issueId), keptRef(issueId), ...(branch === undefined ? [] : [branch])];
  const { stdout } = await git.run(['for-each-ref', '--format=delete %(refname)', '--', ...patterns], { at });
  await git.run(['update-ref', '--stdin'], { at, input: stdout.toString('utf8') });
}
