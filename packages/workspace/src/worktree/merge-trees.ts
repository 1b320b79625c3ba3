import type { MergeConflict, MergeOutcome } from '@sluice/core/workspace';
import type { Git, GitPlace } from '../git/git.ts';

interface MergedCommits {
  /** The commit of the branch. */
  readonly ours: string;
  /** The commit that is merged into it. */
  readonly theirs: string;
}

/** What git alone makes of a merge. */
export interface MergedTree extends MergeOutcome {
  /** The merged files; a text conflict has both sides between markers. */
  readonly treeId: string;
}

/**
 * Merges two commits without touching a working tree, a branch or an index: objects are read, and written. So nothing of the
 * repository is run, and two commits always give the same result. `at` names an index that is not there, because git would
 * take merge drivers from the attributes in it.
 */
export async function mergeTrees(
  { git, at }: { readonly git: Git; readonly at: GitPlace },
  { ours, theirs }: MergedCommits,
  signal: AbortSignal,
): Promise<MergedTree> {
  const contained = await git.run(['merge-base', '--is-ancestor', theirs, ours], { at, answers: [0, 1], signal });
  const { stdout } = await git.run(['merge-tree', '--write-tree', '-z', '--messages', ours, theirs], {
    at,
    answers: [0, 1], // 1: with conflicts
    signal,
  });
  const [treeId = '', ...rest] = stdout.toString('utf8').split('\0');
  return { treeId, isContained: contained.exitCode === 0, conflicts: readConflicts(rest) };
}

const ENTRY = /^(\d{6}) [0-9a-f]+ [123]\t(.+)$/s;
/** What an agent can settle in the files as git leaves them. */
const BY_TEXT = new Set(['contents', 'modify/delete', 'rename/delete', 'directory rename suggested']);
const PLAIN_FILE = /^100/;

/** Entries `mode id stage TAB path`, an empty field, then messages: how many paths, the paths, the kind, the text. */
function readConflicts(fields: readonly string[]): MergeConflict[] {
  const modes = new Map<string, string[]>();
  let at = 0;
  for (; at < fields.length && fields[at] !== ''; at += 1) {
    const [, mode = '', path = ''] = ENTRY.exec(fields[at] ?? '') ?? [];
    modes.set(path, [...(modes.get(path) ?? []), mode]);
  }
  const kinds = new Map<string, string>();
  for (at += 1; at < fields.length && fields[at] !== ''; ) {
    const count = Number(fields[at]);
    const kind = /^CONFLICT \((.+)\)$/.exec(fields[at + count + 1] ?? '')?.[1];
    for (const path of fields.slice(at + 1, at + 1 + count)) {
      // git says first that a file is binary, and then that its contents are in conflict.
      if (kind !== undefined && !kinds.has(path)) kinds.set(path, kind);
    }
    at += count + 3;
  }
  return [...modes].map(([path, found]) => {
    const kind = kinds.get(path) ?? 'other';
    return { path, kind, byHand: !BY_TEXT.has(kind) || found.some((mode) => !PLAIN_FILE.test(mode)) };
  });
}
