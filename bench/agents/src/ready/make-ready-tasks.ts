import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeTask } from '../task/make-task.ts';
import { readTask, type Task } from '../task/task.ts';
import { taskCommit } from '../task/task-commits.ts';
import { UsageError } from '../usage/usage-error.ts';
import { type CommitStore, fetchCommit } from './fetch-commit.ts';
import type { ReadyTask } from './ready-task.ts';

export interface MakeReadyTasks extends CommitStore {
  readonly list: readonly ReadyTask[];
  /** Where tasks are kept. One that is there is not made again. */
  readonly out: string;
  /** The check of `MakeTask`. @param progress tells what runs now, as the end of a sentence */
  verify(task: Task, progress: (what: string) => void): Promise<string | null>;
  report(line: string): void;
}

/** The id of a listed task, which names its folder: `click-762c97eef7`. */
export function readyId({ repository, commit }: ReadyTask): string {
  return `${repository.split('/')[1]}-${commit.slice(0, 10)}`;
}

/**
 * Makes the tasks of a list that are not there yet, and reports each that cannot be made here.
 *
 * @returns those that are there
 */
export async function makeReadyTasks(given: MakeReadyTasks): Promise<Task[]> {
  const ready: Task[] = [];
  for (const [at, listed] of given.list.entries()) {
    const id = readyId(listed);
    const report = (what: string) => given.report(`${id} (${at + 1} of ${given.list.length}): ${what}`);
    const folder = join(given.out, id);
    if (existsSync(folder)) {
      ready.push(readTask(folder));
      continue;
    }
    const task = await makeOne(listed, { ...given, report });
    if (typeof task === 'string') report(`left out: ${task}`);
    else {
      report('made');
      ready.push(task);
    }
  }
  return ready;
}

/** @returns the task, or why there is none */
async function makeOne(listed: ReadyTask, given: MakeReadyTasks): Promise<Task | string> {
  const { repository, commit: id, tried, ...commands } = listed;
  given.report(`fetches ${id.slice(0, 10)} of ${repository}${tried === null ? '; its commands are untried' : ''}`);
  try {
    const clone = await fetchCommit(repository, id, given);
    const commit = taskCommit(clone, id);
    if ('dropped' in commit) return commit.dropped;
    const address = `https://github.com/${repository}`;
    return await makeTask(
      { ...commands, clone, repository: address },
      { commit, id: readyId(listed), out: given.out, verify: (task) => given.verify(task, given.report) },
    );
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}
