import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { unaskedModel } from '../agent/open-model.ts';
import { requireAnswer } from '../agent/require-answer.ts';
import { estimateSentence, type PlannedRun, renderEstimate } from '../estimate/render-estimate.ts';
import { renderResult } from '../report/render-result.ts';
import { type ModelAgentName, modelAgents, runBench } from '../run/run-bench.ts';
import { heldTasks } from '../run/run-facts.ts';
import { SCRIPTED } from '../run/trial-model.ts';
import type { TrialRecord } from '../run/trial-record.ts';
import { readTasks, type Task } from '../task/task.ts';
import { UsageError, wholeNumber } from '../usage/usage-error.ts';
import { newRunFolder, ownTasksFolder } from './bench-folders.ts';
import { madeTasks, readyChoice, readyOptions, readyTasks, requireReady } from './ready-tasks.ts';

const STOPPED = 130; // as a shell says it of a command that was interrupted

/**
 * Lets the agents work on tasks, and prints the result.
 *
 * @returns the exit code: 1 for a run that measures nothing, or has trials to be tried again
 */
export async function runCommand(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      ...readyOptions,
      estimate: { type: 'boolean', default: false },
      tasks: { type: 'string' },
      agents: { type: 'string', default: 'sluice,bash' },
      model: { type: 'string', default: SCRIPTED },
      'cut-off': { type: 'string' },
      runs: { type: 'string', default: '3' },
      'at-once': { type: 'string', default: '1' },
      out: { type: 'string' },
    },
  });
  requireReady(values, ['tasks']);
  const folder = resolve(values.out ?? newRunFolder());
  const chosen = {
    agents: agentNames(values.agents),
    modelCutOff: dayOf(values['cut-off']),
    runs: wholeNumber('--runs', values.runs),
    atOnce: wholeNumber('--at-once', values['at-once']),
    folder,
  };
  const planned = { ...chosen, tasks: countTasks(values) };
  if (values.estimate) {
    process.stdout.write(estimateOf(planned, values.model));
    return 0;
  }
  const { model } = values;
  // A missing key or an unknown model should not be found out behind an hour of controls.
  if (model !== SCRIPTED) await requireAnswer(model);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const run = async () => {
    const tasks = await tasksOf(values, { folder, signal: stop.signal });
    if (model !== SCRIPTED)
      process.stderr.write(`${estimateSentence({ ...planned, tasks: tasks.length }, unaskedModel(model))}\n`);
    return await runBench({ ...chosen, tasks, model, signal: stop.signal, report: reportTrial });
  };
  const result = await run().catch((error: unknown) => {
    if (stop.signal.aborted) return null;
    throw error;
  });
  if (result === null) {
    process.stderr.write(`Stopped. The same command with --out ${folder} goes on.\n`);
    return STOPPED;
  }
  const page = renderResult(result);
  writeFileSync(join(folder, 'result.md'), page);
  process.stdout.write(page);
  process.stderr.write(`\n${folder} holds result.json, result.md and the trajectories.\n`);
  const spoiled = result.trials.filter(({ outcome }) => outcome === 'infrastructure').length;
  if (spoiled > 0)
    process.stderr.write(
      `The surroundings spoiled ${spoiled} of ${result.trials.length} trials. The same command with --out ${folder} tries them again.\n`,
    );
  return result.invalid_because.length === 0 && spoiled === 0 ? 0 : 1;
}

function reportTrial({ task, agent, run, outcome, detail, turns, duration_ms }: TrialRecord): void {
  const facts = `${outcome}, ${turns} turns, ${(duration_ms / 1_000).toFixed(0)} s`;
  process.stderr.write(`${task} ${agent} ${run}: ${facts}: ${detail.split('\n')[0]}\n`);
}

interface TaskChoice {
  readonly ready: boolean;
  readonly only?: string | undefined;
  readonly clones?: string | undefined;
  readonly tasks?: string | undefined;
}

/** The tasks of a run. The ready ones that are missing are made first. A run that goes on keeps the tasks that it has. */
async function tasksOf(
  choice: TaskChoice,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<readonly Task[]> {
  if (!choice.ready) return readTasks(resolve(choice.tasks ?? ownTasksFolder));
  const held = heldTasks(folder);
  if (held !== null) return madeTasks(choice).filter(({ id }) => held.has(id));
  const { tasks, listed } = await readyTasks(choice, { signal });
  if (tasks.length === 0) throw new UsageError('None of the ready tasks can be made here. Their reasons are above.');
  process.stderr.write(`${tasks.length} of ${listed} ready tasks can be used here.\n`);
  return tasks;
}

function countTasks(choice: TaskChoice): number {
  return choice.ready ? readyChoice(choice).length : readTasks(resolve(choice.tasks ?? ownTasksFolder)).length;
}

/** @param names models, with commas */
function estimateOf(run: PlannedRun, names: string): string {
  if (names === SCRIPTED)
    throw new UsageError(
      'The scripted model costs nothing. Say whose price to look up: --model NAME, or several with commas.',
    );
  return renderEstimate(
    run,
    names.split(',').map((name) => unaskedModel(name.trim())),
  );
}

function dayOf(given: string | undefined): string | null {
  if (given === undefined) return null;
  if (z.iso.date().safeParse(given).success) return given;
  throw new UsageError(`--cut-off takes a day such as 2026-02-28, not "${given}".`);
}

/** Reads a list of agents, separated by commas. @throws UsageError that names the agents that there are */
export function agentNames(given: string): ModelAgentName[] {
  const names = [...new Set(given.split(',').map((name) => name.trim()))];
  const known = Object.keys(modelAgents);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(`There is no agent "${unknown}". There are: ${known.join(', ')}.`);
  return names as ModelAgentName[];
}
