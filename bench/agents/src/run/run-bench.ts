import { writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { bashAgent } from '../agent/bash-loop.ts';
import type { BenchAgent } from '../agent/bench-agent.ts';
import { noopAgent, oracleAgent } from '../agent/control-agents.ts';
import { openSandbox } from '../agent/open-sandbox.ts';
import { sluiceAgent } from '../agent/sluice-agent.ts';
import { folderHash } from '../task/folder-hash.ts';
import type { Task } from '../task/task.ts';
import { ownRevision } from './own-revision.ts';
import { openRun, type RunFacts } from './run-facts.ts';
import { runTrial, type TrialPlan } from './run-trial.ts';
import { openLedger } from './trial-ledger.ts';
import { trialModels } from './trial-model.ts';
import type { BenchResult, TrialRecord } from './trial-record.ts';

/** The agents that ask a model. */
export const modelAgents = { sluice: sluiceAgent, bash: () => bashAgent() } as const;
export type ModelAgentName = keyof typeof modelAgents;

export interface RunBench {
  readonly tasks: readonly Task[];
  readonly agents: readonly ModelAgentName[];
  /** The configured name, or `scripted`; null when no agent asks a model. */
  readonly model: string | null;
  readonly modelCutOff: string | null;
  readonly runs: number;
  readonly atOnce: number;
  /** The run's folder. One that holds a run that was stopped is continued. */
  readonly folder: string;
  readonly signal: AbortSignal;
  report(record: TrialRecord): void;
}

/**
 * Lets every agent work on every task, with the controls: the oracle and one that does nothing. Writes `result.json`, and
 * keeps every trajectory below `trials/`.
 */
export async function runBench(bench: RunBench): Promise<BenchResult> {
  const agents = bench.agents.map((name) => modelAgents[name]());
  const facts = factsOf(bench, agents);
  const startedAt = openRun(bench.folder, facts);
  const planned = plansOf(bench, agents);
  const keyOf = ({ task, agent, run }: TrialPlan) => ({ task: task.id, agent: agent.name, run });
  const ledger = openLedger(bench.folder, planned.map(keyOf));
  const sandbox = openSandbox(bench.folder);
  const plans = planned.filter((plan) => !ledger.has(keyOf(plan)));
  const openModel = trialModels(bench.model ?? '');
  const work = async () => {
    for (let plan = plans.shift(); plan !== undefined; plan = plans.shift()) {
      const record = await runTrial(plan, { folder: bench.folder, sandbox, openModel, signal: bench.signal });
      ledger.add(record);
      bench.report(record);
    }
  };
  await Promise.all(Array.from({ length: bench.atOnce }, work));
  const result = { started_at: startedAt, ...resultOf(bench, facts, ledger.records()) };
  writeFileSync(join(bench.folder, 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
  return result;
}

/** Task by task, so that agents meet the same machine at the same time of day. */
function plansOf({ tasks, runs }: RunBench, agents: readonly BenchAgent[]): TrialPlan[] {
  return tasks.flatMap((task) => {
    const controls = [oracleAgent(task), noopAgent].map((agent) => ({ task, agent, run: 1 }));
    const rounds = Array.from({ length: runs }, (_, at) => at + 1);
    return [...controls, ...rounds.flatMap((run) => agents.map((agent) => ({ task, agent, run })))];
  });
}

function factsOf(bench: RunBench, agents: readonly BenchAgent[]): RunFacts {
  return {
    ...ownRevision(),
    model: bench.model,
    agents: bench.agents.toSorted(),
    prompt_hashes: Object.fromEntries(agents.map(({ name, promptHash }) => [name, promptHash])),
    inputs: Object.fromEntries(bench.tasks.map(({ id, folder }) => [id, folderHash(folder)])),
    runs: bench.runs,
  };
}

function resultOf(bench: RunBench, facts: RunFacts, trials: readonly TrialRecord[]): Omit<BenchResult, 'started_at'> {
  const { commit, is_modified, model, prompt_hashes, runs } = facts;
  return {
    schema: 1,
    made_at: new Date().toISOString(),
    commit,
    is_modified,
    model,
    model_cut_off: bench.modelCutOff,
    prompt_hashes,
    runs,
    resources: {
      cpus: availableParallelism(),
      memory_bytes: totalmem(),
      platform: `${process.platform}-${process.arch}`,
      node: process.version,
      at_once: bench.atOnce,
    },
    tasks: bench.tasks.map(({ id, repository, baseCommit, date, language }) => {
      return { id, repository, base_commit: baseCommit, date, language };
    }),
    trials: [...trials],
    invalid_because: faultsOfControls(bench.tasks, trials),
  };
}

/** The oracle must solve every task and the one that does nothing none: otherwise the run says nothing about agents. */
export function faultsOfControls(tasks: readonly Pick<Task, 'id'>[], trials: readonly TrialRecord[]): string[] {
  return tasks.flatMap(({ id }) => {
    const outcome = (agent: string) =>
      trials.find((trial) => trial.task === id && trial.agent === agent)?.outcome ?? 'not run';
    const [oracle, noop] = [outcome('oracle'), outcome('noop')];
    return [
      ...(oracle === 'solved' ? [] : [`${id}: the oracle is ${oracle}`]),
      ...(noop === 'unsolved' ? [] : [`${id}: an agent that does nothing is ${noop}`]),
    ];
  });
}
