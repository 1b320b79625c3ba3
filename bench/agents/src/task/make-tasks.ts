import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { runGit } from '../repo/task-repo.ts';
import { exportTree } from './export-tree.ts';
import { readTask, type Task } from './task.ts';
import { instructionOf, isTestPath, type TaskCommit, taskCommits } from './task-commits.ts';
import { writeTask } from './write-task.ts';

export interface MakeTasks {
  /** A clone of the repository, bare or not. Nothing in it changes. */
  readonly clone: string;
  readonly out: string;
  /** How many tasks; commits whose tests prove nothing are dropped and do not count. */
  readonly count: number;
  readonly since: string;
  readonly until: string;
  readonly setupCommand: string | null;
  readonly testCommand: string;
  readonly verifyCommand: string;
  readonly allowHosts: readonly string[];
  readonly image: string;
  /** Better instructions than the commits' messages, by commit: the text of a linked issue. */
  readonly texts: Readonly<Record<string, string>>;
  /** Null when its tests fail at the base and pass with the solution; otherwise why it is no task. */
  verify(task: Task): Promise<string | null>;
  report(line: string): void;
}

/** Makes tasks from dated commits of a real repository. @returns those that were verified */
export async function makeTasks(given: MakeTasks): Promise<Task[]> {
  const made: Task[] = [];
  // Four of five commits are dropped where most tests need a network; more tries would only take long.
  const commits = taskCommits(given.clone, { since: given.since, until: given.until, count: given.count * 5 });
  for (const commit of commits) {
    if (made.length === given.count) break;
    const scratch = mkdtempSync(join(tmpdir(), 'sluice-task-'));
    try {
      const name = basename(repositoryOf(given.clone)).replace(/\.git$/, '');
      const id = `${name}-${commit.commit.slice(0, 10)}`;
      draftTask(given, { commit, id, folder: scratch });
      const problem = await given.verify(readTask(scratch));
      given.report(problem === null ? `${id}: made` : `${id}: dropped: ${problem}`);
      if (problem !== null) continue;
      const folder = join(given.out, id);
      rmSync(folder, { recursive: true, force: true });
      cpSync(scratch, folder, { recursive: true, verbatimSymlinks: true });
      made.push(readTask(folder));
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }
  return made;
}

function draftTask(
  given: MakeTasks,
  { commit, id, folder }: { readonly commit: TaskCommit; readonly id: string; readonly folder: string },
): void {
  const { clone } = given;
  exportTree(clone, commit.parent, join(folder, 'environment/repo'));
  const others = runGit(clone, 'diff', '--name-only', '--no-renames', '-z', commit.parent, commit.commit)
    .split('\0')
    .filter((path) => path !== '' && !isTestPath(path));
  writeTask(
    {
      id,
      instruction: given.texts[commit.commit] ?? instructionOf(commit.message),
      repository: repositoryOf(clone),
      baseCommit: commit.parent,
      date: commit.date,
      language: commit.language,
      setupCommand: given.setupCommand,
      testCommand: given.testCommand,
      verifyCommand: given.verifyCommand,
      allowHosts: given.allowHosts,
      image: given.image,
      tests: new Map(commit.tests.map((path) => [path, contentOf(clone, commit.commit, path)])),
      solution: runGit(clone, 'diff', '--binary', '--no-renames', commit.parent, commit.commit, '--', ...others),
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

function repositoryOf(clone: string): string {
  try {
    return runGit(clone, 'remote', 'get-url', 'origin').trim();
  } catch {
    return basename(clone);
  }
}
