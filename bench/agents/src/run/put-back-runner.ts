import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from '../repo/task-repo.ts';
import { isRunnerFile } from '../task/runner-file.ts';
import type { Task } from '../task/task.ts';

/**
 * Puts the base's manifests and settings of the test runner back into a tree to which a patch was applied, but for those
 * that the solution changes too: a patch that says in them how tests are run could say that nothing is.
 *
 * @param tree a git working tree whose HEAD is the base
 * @returns the files that were put back
 */
export function putBackRunner(tree: string, task: Pick<Task, 'folder'>): string[] {
  const ofSolution = new Set(solutionPaths(tree, task));
  runGit(tree, 'add', '-A', '-f');
  const changed = runGit(tree, 'diff', '--cached', '--name-only', '--no-renames', '-z', 'HEAD').split('\0');
  const files = changed.filter((path) => isRunnerFile(path) && !ofSolution.has(path));
  if (files.length > 0)
    runGit(tree, '--literal-pathspecs', 'restore', '--source=HEAD', '--staged', '--worktree', '--', ...files);
  runGit(tree, 'reset', '-q');
  return files;
}

function solutionPaths(tree: string, { folder }: Pick<Task, 'folder'>): string[] {
  const patch = join(folder, 'solution/change.patch');
  if (!existsSync(patch)) return [];
  // Each entry is the lines that are new, those that are gone, and the path.
  const entries = runGit(tree, 'apply', '--numstat', '-z', patch).split('\0');
  return entries.map((entry) => entry.split('\t').slice(2).join('\t'));
}
