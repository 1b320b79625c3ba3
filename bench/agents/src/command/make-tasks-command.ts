import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { noopAgent, oracleAgent } from '../agent/control-agents.ts';
import { openSandbox } from '../agent/open-sandbox.ts';
import { runGit } from '../repo/task-repo.ts';
import { runTrial } from '../run/run-trial.ts';
import { trialModels } from '../run/trial-model.ts';
import type { TrialRecord } from '../run/trial-record.ts';
import { makeTasks } from '../task/make-tasks.ts';
import type { Task } from '../task/task.ts';
import { readJson, readText } from '../usage/read-json.ts';
import { UsageError, wholeNumber } from '../usage/usage-error.ts';
import { tasksFolder } from './bench-folders.ts';

/** Makes tasks from the dated commits of a clone. */
export async function makeTasksCommand(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      repo: { type: 'string' },
      out: { type: 'string', default: tasksFolder },
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
  if (values.repo === undefined || values.test === undefined) {
    throw new UsageError('Say which clone and how it is tested: --repo CLONE --test COMMAND');
  }
  requireCommit(resolve(values.repo), values.until);
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-verify-'));
  try {
    const made = await makeTasks({
      clone: resolve(values.repo),
      out: resolve(values.out),
      count: wholeNumber('--count', values.count),
      since: requireDate(values.since),
      until: values.until,
      setupCommand: values.setup ?? null,
      testCommand: values.test,
      verifyCommand: values.verify ?? values.test,
      allowHosts: values['allow-hosts'].split(',').filter((host) => host !== ''),
      image: values.image,
      texts: values.texts === undefined ? {} : readJson(resolve(values.texts), z.record(z.string(), z.string())),
      verify: (task, progress) => problemOf(task, { scratch, progress }),
      report: (line) => process.stderr.write(`${line}\n`),
    });
    process.stdout.write(`${made.length} tasks are in ${resolve(values.out)}.\n`);
    return made.length > 0 ? 0 : 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Null when the task's tests fail at the base and pass with its solution; else why not, with the end of their output. */
export async function problemOf(
  task: Task,
  { scratch, progress }: { readonly scratch: string; readonly progress: (what: string) => void },
): Promise<string | null> {
  const setting = {
    folder: scratch,
    sandbox: openSandbox(scratch),
    openModel: trialModels(''),
    signal: new AbortController().signal,
  };
  const ran = task.setupCommand === null ? 'the hidden tests' : 'the setup command and the hidden tests';
  progress(`runs ${ran} at the base`);
  const atBase = await runTrial({ task, agent: noopAgent, run: 1 }, setting);
  if (atBase.outcome === 'solved') return `its tests pass without the change${tailOf(scratch, atBase)}`;
  if (atBase.outcome === 'infrastructure') return `its tests do not run at the base: ${atBase.detail}`;
  progress(`runs ${ran} with the solution`);
  const solved = await runTrial({ task, agent: oracleAgent(task), run: 1 }, setting);
  if (solved.outcome === 'solved') return null;
  return `its tests do not pass with the solution: ${solved.tests || solved.detail}${tailOf(scratch, solved)}`;
}

const MAX_LINES = 15; // a failing assertion and the counts of most runners

/** The end of what the tests printed, indented, if they ran. */
function tailOf(scratch: string, { folder }: TrialRecord): string {
  const log = join(scratch, folder, 'tests.log');
  const lines = existsSync(log) ? readText(log).trimEnd().split('\n').slice(-MAX_LINES) : [];
  return lines.map((line) => `\n    ${line}`).join('');
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
