import { basename } from 'node:path';
import { runGit } from '../repo/task-repo.ts';
import { makeTask, type TaskSource } from './make-task.ts';
import type { Task } from './task.ts';
import { taskCommits } from './task-commits.ts';

export interface MakeTasks extends Omit<TaskSource, 'repository'> {
  readonly out: string;
  /** How many tasks; commits whose tests prove nothing are dropped and do not count. */
  readonly count: number;
  readonly since: string;
  readonly until: string;
  /** Better instructions than the commits' messages, by commit: the text of a linked issue. */
  readonly texts: Readonly<Record<string, string>>;
  /** The check of `MakeTask`. @param progress tells what runs now, as the end of a sentence */
  verify(task: Task, progress: (what: string) => void): Promise<string | null>;
  report(line: string): void;
  /** After how long without a task the reasons so far are reported. */
  readonly firstReportMs?: number;
}

const FIRST_REPORT_MS = 60_000; // people wait no longer for a first sign
const MAX_TRIES_PER_TASK = 5; // four of five commits are dropped where most tests need a network

/** Makes tasks from dated commits of a real repository, and reports each commit. @returns those that were verified */
export async function makeTasks(given: MakeTasks): Promise<Task[]> {
  const made: Task[] = [];
  const repository = repositoryOf(given.clone);
  const name = basename(repository).replace(/\.git$/, '');
  const reasons = new Map<string, number>();
  let running = { id: '', what: 'git reads the log', since: Date.now() };
  const timer = setTimeout(() => {
    const seconds = Math.round((Date.now() - running.since) / 1_000);
    given.report(`There is no task yet. ${renderReasons(reasons)} For ${seconds} s, ${running.id} ${running.what}.`);
  }, given.firstReportMs ?? FIRST_REPORT_MS);
  let tries = 0;
  try {
    for (const commit of taskCommits(given.clone, given)) {
      if (made.length === given.count || tries === given.count * MAX_TRIES_PER_TASK) break;
      const id = `${name}-${commit.commit.slice(0, 10)}`;
      const drop = (reason: string) => {
        given.report(`${id} ${commit.date} "${commit.subject}": dropped: ${reason}`);
        const kind = reason.split(/[:\n]/)[0] ?? '';
        reasons.set(kind, (reasons.get(kind) ?? 0) + 1);
      };
      if ('dropped' in commit) {
        drop(commit.dropped);
        continue;
      }
      tries += 1;
      const progress = (what: string) => {
        running = { id, what, since: Date.now() };
        given.report(`${id} ${commit.date} "${commit.subject}": ${what}`);
      };
      const task = await makeTask(
        { ...given, repository },
        {
          commit,
          id,
          out: given.out,
          instruction: given.texts[commit.commit],
          verify: (draft) => given.verify(draft, progress),
        },
      );
      if (typeof task === 'string') drop(task);
      else {
        clearTimeout(timer);
        given.report(`${id}: made`);
        made.push(task);
      }
    }
  } finally {
    clearTimeout(timer);
  }
  if (made.length < given.count) given.report(shortOf(given, made.length, { reasons, tries }));
  return made;
}

function renderReasons(reasons: ReadonlyMap<string, number>): string {
  const dropped = [...reasons.values()].reduce((sum, count) => sum + count, 0);
  if (dropped === 0) return 'No commit was dropped.';
  const parts = [...reasons].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${count} × ${reason}`);
  return `${dropped} ${dropped === 1 ? 'commit was' : 'commits were'} dropped (${parts.join('; ')}).`;
}

/** Why there are fewer tasks than were asked for, and what to do. */
function shortOf(
  { clone, count, since, until }: MakeTasks,
  made: number,
  { reasons, tries }: { readonly reasons: ReadonlyMap<string, number>; readonly tries: number },
): string {
  const found = `${made} of ${count} tasks were made.`;
  if (reasons.size === 0 && made === 0)
    return `${found} ${until} of ${clone} has no commit since ${since}. Give an earlier day with --since, or another commit with --until.`;
  if (tries === count * MAX_TRIES_PER_TASK)
    return `${found} ${renderReasons(reasons)} That many tries are enough: look at what the tests printed above, then correct --setup, --test or --verify.`;
  const advice =
    tries > made
      ? 'Look at what the tests printed above, or give an earlier day with --since.'
      : 'Give an earlier day with --since.';
  return `${found} ${renderReasons(reasons)} These are all commits of ${until} since ${since}. ${advice}`;
}

function repositoryOf(clone: string): string {
  try {
    return runGit(clone, 'remote', 'get-url', 'origin').trim();
  } catch {
    return basename(clone);
  }
}
