import type { Git, GitPlace } from '../git/git.ts';
import { entriesOf } from './tree-place.ts';

/** What became of one path between two trees. */
export interface RawChange {
  /** Latin-1: `bytesOf` gives its bytes. */
  readonly path: string;
  /** `000000` where there was nothing, or is nothing any more. */
  readonly modeBefore: string;
  readonly mode: string;
  readonly idBefore: string;
  readonly id: string;
}

/** The mode of a submodule. */
export const SUBMODULE = '160000';
/** The mode of what is not there. */
export const NOTHING = '000000';

// A `.gitmodules` can ask that what becomes of a submodule is not reported: so `--ignore-submodules=none`.
const BETWEEN = ['--raw', '-r', '-z', '--no-renames', '--no-abbrev', '--ignore-submodules=none'];
const CHANGED = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) \w+$/;

interface ComparedTrees {
  readonly at: GitPlace;
  readonly from: string;
  readonly to: string;
  /** Compares only the paths that one of these patterns matches. */
  readonly patterns?: readonly string[];
}

/** The paths that differ between two trees or commits, in git's order. Compares objects alone. */
export async function rawChanges(git: Git, compared: ComparedTrees, signal: AbortSignal): Promise<RawChange[]> {
  const { at, from, to, patterns = [] } = compared;
  const { stdout } = await git.run(['diff-tree', ...BETWEEN, from, to, '--', ...patterns], {
    at,
    signal,
    ...(patterns.length > 0 && { env: { GIT_LITERAL_PATHSPECS: '0' } }),
  });
  const fields = entriesOf(stdout);
  const changes: RawChange[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [, modeBefore, mode, idBefore, id] = CHANGED.exec(fields[index] ?? '') ?? [];
    const path = fields[index + 1];
    if (modeBefore === undefined || mode === undefined || idBefore === undefined) continue;
    if (id === undefined || path === undefined) continue;
    changes.push({ path, modeBefore, mode, idBefore, id });
  }
  return changes;
}

/** Entries for `git update-index -z --index-info`: `mode id TAB path`; the mode 0 removes a path. */
export function indexEntries(changes: readonly RawChange[]): Buffer {
  const entries = changes.map(({ mode, id, path }) => `${mode === NOTHING ? '0' : mode} ${id}\t${path}\0`);
  return Buffer.from(entries.join(''), 'latin1');
}
