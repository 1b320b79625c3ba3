import { createHash } from 'node:crypto';

/** No real author and no real time, so that one tree on one base gives the same commit on every host. */
const KEPT = [
  'author Sluice <checkpoint@sluice.invalid> 0 +0000',
  'committer Sluice <checkpoint@sluice.invalid> 0 +0000',
  '',
  'checkpoint',
  '',
].join('\n');

/** The commit object with which a tree is kept beside the branch. */
export function savedTreeObject(treeId: string, baseCommit: string): string {
  return `tree ${treeId}\nparent ${baseCommit}\n${KEPT}`;
}

/** Whether a commit object keeps a tree beside the branch, and is none that goes on the branch. */
export function isSavedTreeObject(object: string): boolean {
  return object.replace(/^tree \S+\nparent \S+\n/, '') === KEPT;
}

/** The id that git gives to a commit object. */
export function commitIdOf(object: string): string {
  return createHash('sha1')
    .update(`commit ${Buffer.byteLength(object)}\0`)
    .update(object)
    .digest('hex');
}

/** The tree of a commit object whose one parent is `baseCommit`; null for any other. */
export function treeOnBase(object: string, baseCommit: string): string | null {
  const [, tree, parent] = /^tree ([0-9a-f]{40})\nparent ([0-9a-f]{40})\nauthor /.exec(object) ?? [];
  return parent === baseCommit ? (tree ?? null) : null;
}
