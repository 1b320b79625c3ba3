import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGit } from '../repo/task-repo.ts';
import { UsageError } from '../usage/usage-error.ts';

/**
 * Writes the files of a commit of a clone as they are stored, without its history. Git gets a repository of its own that
 * borrows the clone's objects, so that neither the clone's hooks, filters and settings nor attributes in the tree change
 * or leave out a file.
 *
 * @param commit its hash, which may be short: names of the clone are not known there
 * @param folder where; made if it is missing
 * @throws UsageError when the clone does not hold the commit with all its files
 */
export function exportTree(clone: string, commit: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-export-'));
  try {
    runGit(scratch, 'init', '-q', '--bare');
    const objects = runGit(clone, 'rev-parse', '--path-format=absolute', '--git-path', 'objects');
    writeFileSync(join(scratch, 'objects/info/alternates'), objects);
    mkdirSync(join(scratch, 'info'), { recursive: true });
    writeFileSync(join(scratch, 'info/attributes'), '* -text -ident -filter -working-tree-encoding\n');
    const git = (...args: string[]) => runGit(folder, `--git-dir=${scratch}`, '--work-tree=.', ...args);
    git('read-tree', commit);
    git('checkout-index', '--all');
  } catch (error) {
    const why = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new UsageError(`${clone} does not hold the whole commit ${commit}; partial clones do not: ${why}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
