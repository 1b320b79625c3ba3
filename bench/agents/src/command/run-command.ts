import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { openModel } from '../agent/open-model.ts';
import { renderResult } from '../report/render-result.ts';
import { type ModelAgentName, modelAgents, runBench } from '../run/run-bench.ts';
import { SCRIPTED } from '../run/trial-model.ts';
import { readTasks } from '../task/task.ts';
import { UsageError, wholeNumber } from '../usage/usage-error.ts';
import { newRunFolder, ownTasksFolder } from './bench-folders.ts';

const STOPPED = 130; // as a shell says it of a command that was interrupted

/** Lets the agents work on tasks, and prints the result. @returns the exit code: 1 for a run that measures nothing, or has trials to be tried again */
export async function runCommand(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      tasks: { type: 'string', default: ownTasksFolder },
      agents: { type: 'string', default: 'sluice,bash' },
      model: { type: 'string', default: SCRIPTED },
      'cut-off': { type: 'string' },
      runs: { type: 'string', default: '3' },
      'at-once': { type: 'string', default: '1' },
      out: { type: 'string' },
    },
  });
  const folder = resolve(values.out ?? newRunFolder());
  const bench = {
    tasks: readTasks(resolve(values.tasks)),
    agents: agentNames(values.agents),
    model: values.model,
    modelCutOff: dayOf(values['cut-off']),
    runs: wholeNumber('--runs', values.runs),
    atOnce: wholeNumber('--at-once', values['at-once']),
    folder,
  };
  // A missing key should not be found out behind an hour of controls.
  if (bench.model !== SCRIPTED) openModel(bench.model);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const running = runBench({
    ...bench,
    signal: stop.signal,
    report: ({ task, agent, run, outcome, detail, turns, duration_ms }) => {
      const facts = `${outcome}, ${turns} turns, ${(duration_ms / 1_000).toFixed(0)} s`;
      process.stderr.write(`${task} ${agent} ${run}: ${facts}: ${detail.split('\n')[0]}\n`);
    },
  });
  const result = await running.catch((error: unknown) => {
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
