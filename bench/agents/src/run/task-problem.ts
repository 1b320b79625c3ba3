import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { noopAgent, oracleAgent } from '../agent/control-agents.ts';
import { openSandbox } from '../agent/open-sandbox.ts';
import type { Task } from '../task/task.ts';
import { readText } from '../usage/read-json.ts';
import { runTrial } from './run-trial.ts';
import { trialModels } from './trial-model.ts';
import type { TrialRecord } from './trial-record.ts';

/** How a task is checked. */
interface TaskCheck {
  /** A folder for the trees. */
  readonly scratch: string;
  readonly signal: AbortSignal;
  /** Told what runs now, as the end of a sentence that begins with the task. */
  progress(what: string): void;
}

/** Null when the task's tests fail at the base and pass with its solution; else why not, with the end of their output. */
export async function taskProblem(task: Task, { scratch, signal, progress }: TaskCheck): Promise<string | null> {
  const setting = {
    folder: scratch,
    sandbox: openSandbox(scratch),
    openModel: trialModels(''),
    signal,
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
