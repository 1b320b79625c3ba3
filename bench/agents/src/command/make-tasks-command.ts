import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { runGit } from '../repo/task-repo.ts';
import { makeTasks } from '../task/make-tasks.ts';
import { readJson } from '../usage/read-json.ts';
import { UsageError, wholeNumber } from '../usage/usage-error.ts';
import { readyFolder, tasksFolder } from './bench-folders.ts';
import { readyOptions, readyTasks, requireReady } from './ready-tasks.ts';
import { withVerifier } from './with-verifier.ts';

/** Makes tasks from the dated commits of a clone, or those of the ready list. */
export async function makeTasksCommand(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      ...readyOptions,
      repo: { type: 'string' },
      out: { type: 'string' },
      count: { type: 'string', default: '20' },
      since: { type: 'string', default: '1 year ago' },
      until: { type: 'string', default: 'HEAD' },
      setup: { type: 'string' },
      test: { type: 'string' },
      verify: { type: 'string' },
      'allow-hosts': { type: 'string', default: '' },
      image: { type: 'string', default: 'node:24-bookworm' },
      texts: { type: 'string' },
    },
  });
  const report = (line: string) => process.stderr.write(`${line}\n`);
  requireReady(values, ['repo', 'test', 'setup', 'verify', 'texts']);
  if (values.ready) {
    const out = resolve(values.out ?? readyFolder);
    const { tasks, listed } = await readyTasks(values, { out });
    process.stdout.write(`${tasks.length} of ${listed} ready tasks are in ${out}.\n`);
    return tasks.length > 0 ? 0 : 1;
  }
  const { repo, test } = values;
  if (repo === undefined || test === undefined) {
    throw new UsageError(
      'Say which clone and how it is tested: --repo CLONE --test COMMAND. Or take public repositories: --ready',
    );
  }
  requireCommit(resolve(repo), values.until);
  const out = resolve(values.out ?? tasksFolder);
  const made = await withVerifier((verify) =>
    makeTasks({
      clone: resolve(repo),
      out,
      count: wholeNumber('--count', values.count),
      since: requireDate(values.since),
      until: values.until,
      setupCommand: values.setup ?? null,
      testCommand: test,
      verifyCommand: values.verify ?? test,
      allowHosts: values['allow-hosts'].split(',').filter((host) => host !== ''),
      image: values.image,
      texts: values.texts === undefined ? {} : readJson(resolve(values.texts), z.record(z.string(), z.string())),
      verify,
      report,
    }),
  );
  process.stdout.write(`${made.length} ${made.length === 1 ? 'task is' : 'tasks are'} in ${out}.\n`);
  return made.length > 0 ? 0 : 1;
}

/** Git takes any words for a date, and most of them for today. */
function requireDate(given: string): string {
  if (z.iso.date().safeParse(given).success || /^\d{1,4} (day|week|month|year)s? ago$/.test(given)) return given;
  throw new UsageError(`--since takes a day such as 2026-03-01, or "3 months ago", not "${given}".`);
}

function requireCommit(clone: string, commit: string): void {
  if (!existsSync(clone)) throw new UsageError(`There is no clone at ${clone}.`);
  try {
    runGit(clone, 'rev-parse', '--verify', '--quiet', `${commit}^{commit}`);
  } catch {
    throw new UsageError(`${clone} is no git repository, or has no commit ${commit}.`);
  }
}
