import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { renderResult } from '../report/render-result.ts';
import { type ModelAgentName, modelAgents, runBench } from '../run/run-bench.ts';
import { SCRIPTED } from '../run/trial-model.ts';
import { readTasks } from '../task/task.ts';
import { ownTasksFolder, runsFolder } from './bench-folders.ts';

/** Lets the agents work on tasks, and prints the result. @returns the exit code: 1 for a run that measures nothing */
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
  const folder = resolve(values.out ?? join(runsFolder, new Date().toISOString().replace(/[:.]/g, '-')));
  if (existsSync(join(folder, 'trials.jsonl'))) process.stderr.write(`Continuing the run in ${folder}.\n`);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort(new Error('stopped')));
  const result = await runBench({
    tasks: readTasks(resolve(values.tasks)),
    agents: agentNames(values.agents),
    model: values.model,
    modelCutOff: values['cut-off'] ?? null,
    runs: Number(values.runs),
    atOnce: Number(values['at-once']),
    folder,
    signal: stop.signal,
    report: ({ task, agent, run, outcome, detail, turns, duration_ms }) => {
      const facts = `${outcome}, ${turns} turns, ${(duration_ms / 1_000).toFixed(0)} s`;
      process.stderr.write(`${task} ${agent} ${run}: ${facts}: ${detail.split('\n')[0]}\n`);
    },
  });
  const page = renderResult(result);
  writeFileSync(join(folder, 'result.md'), page);
  process.stdout.write(page);
  process.stderr.write(`\n${folder} holds result.json, result.md and the trajectories.\n`);
  return result.invalid_because.length === 0 ? 0 : 1;
}

/** @throws TypeError that names the agents that there are */
export function agentNames(given: string): ModelAgentName[] {
  const names = given.split(',').map((name) => name.trim());
  const known = Object.keys(modelAgents);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new TypeError(`There is no agent "${unknown}". There are: ${known.join(', ')}.`);
  return names as ModelAgentName[];
}
