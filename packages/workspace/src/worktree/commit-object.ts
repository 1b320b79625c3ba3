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

/** The tree of a commit object with exactly these parents; null for any other. */
export function treeOnParents(object: string, parents: readonly string[]): string | null {
  const [, tree, lines] = /^tree ([0-9a-f]{40})\n((?:parent [0-9a-f]{40}\n)+)author /.exec(object) ?? [];
  return lines === parents.map((parent) => `parent ${parent}\n`).join('') ? (tree ?? null) : null;
}
