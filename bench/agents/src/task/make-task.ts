import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGit } from '../repo/task-repo.ts';
import { exportTree } from './export-tree.ts';
import { readTask, type Task } from './task.ts';
import { instructionOf, type TaskCommit } from './task-commits.ts';
import { writeTask } from './write-task.ts';

/** What tasks of one repository have in common. */
export interface TaskSource {
  /** A clone of the repository, bare or not. Nothing in it changes. */
  readonly clone: string;
  /** Its address, or its name. */
  readonly repository: string;
  readonly setupCommand: string | null;
  readonly testCommand: string;
  readonly verifyCommand: string;
  readonly allowHosts: readonly string[];
  readonly image: string;
}

/** How a task is made of a commit. */
export interface MakeTask {
  readonly commit: TaskCommit;
  /** In place of the commit's message; undefined: that. */
  readonly instruction?: string | undefined;
  readonly id: string;
  /** The folder in which the task's own is made. One that is there is replaced. */
  readonly out: string;
  /** Null when its tests fail at the base and pass with the solution; otherwise why it is no task. */
  verify(task: Task): Promise<string | null>;
}

/** Makes a task of a commit, and keeps it when it is verified. @returns the task, or why it is none */
export async function makeTask(source: TaskSource, given: MakeTask): Promise<Task | string> {
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-task-'));
  try {
    draftTask(source, given, scratch);
    const problem = await given.verify(readTask(scratch));
    if (problem !== null) return problem;
    const folder = join(given.out, given.id);
    rmSync(folder, { recursive: true, force: true });
    cpSync(scratch, folder, { recursive: true, verbatimSymlinks: true });
    return readTask(folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function draftTask({ clone, ...source }: TaskSource, { commit, instruction, id }: MakeTask, folder: string): void {
  exportTree(clone, commit.parent, join(folder, 'environment/repo'));
  const range = [commit.parent, commit.commit];
  writeTask(
    {
      id,
      instruction: instruction ?? instructionOf(commit.message),
      baseCommit: commit.parent,
      date: commit.date,
      language: commit.language,
      ...source,
      tests: new Map(commit.tests.map((path) => [path, contentOf(clone, commit.commit, path)])),
      solution: runGit(clone, 'diff', '--binary', '--no-renames', ...range, '--', ...commit.others),
    },
    folder,
  );
}

/** Null for a file that the commit deleted. */
function contentOf(clone: string, commit: string, path: string): Buffer | null {
  try {
    return execFileSync('git', ['-C', clone, 'show', `${commit}:${path}`], {
      maxBuffer: 256 * 1_024 ** 2,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return null;
  }
}
