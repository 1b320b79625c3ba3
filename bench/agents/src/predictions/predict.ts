import { appendFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '@sluice/core/workspace';
import * as z from 'zod';
import { type BenchAgent, InfrastructureError } from '../agent/bench-agent.ts';
import { makeTaskRepo } from '../repo/task-repo.ts';
import { linesIn } from '../run/lines-in.ts';
import { usedFields } from '../run/model-recorder.ts';
import { ownRevision } from '../run/own-revision.ts';
import { removeTrees } from '../run/remove-trees.ts';
import { openRun, type RunFacts } from '../run/run-facts.ts';
import { openRecorded, requireModel } from '../run/trial-model.ts';
import { type WorkEnd, workWithin } from '../run/work-within.ts';
import { exportTree } from '../task/export-tree.ts';
import { UsageError } from '../usage/usage-error.ts';
import type { Instance } from './dataset.ts';

export interface Predict {
  readonly instances: readonly Instance[];
  /** The dataset with its hash. */
  readonly inputs: RunFacts['inputs'];
  readonly agent: BenchAgent;
  /** The configured name of the model. */
  readonly model: string;
  /** Holds a clone of each repository, as `owner__name`. */
  readonly clones: string;
  /** The folder of these predictions. A folder that holds the same ones is continued. */
  readonly folder: string;
  readonly sandbox: Sandbox;
  /** How long the agent may work on an instance. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  report(line: string): void;
}

/** The file for the evaluation, in the folder of the predictions. */
export const PREDICTIONS = 'predictions.jsonl';

/**
 * Writes `predictions.jsonl` in the format that the evaluation of SWE-bench takes: `instance_id`, `model_name_or_path` and
 * `model_patch` (https://www.swebench.com/SWE-bench/guides/evaluation), and beside it what the work took, in
 * `instances.jsonl`. Instances that are in it already are left out, so a run that was stopped goes on. An agent that was
 * stopped or broke off has predicted nothing; a failure of the surroundings writes nothing, and is tried at the next run.
 *
 * @returns how many predictions the file holds, and how many instances failed
 * @throws UsageError when the folder holds predictions of another model, agent, dataset or state of Sluice
 */
export async function predict(given: Predict): Promise<{ readonly written: number; readonly failed: number }> {
  const { agent, model, inputs, folder } = given;
  const prompts = { [agent.name]: agent.promptHash };
  openRun(folder, { ...ownRevision(), model, agents: [agent.name], prompt_hashes: prompts, inputs, runs: 1 });
  const file = join(folder, PREDICTIONS);
  appendFileSync(file, '');
  const done = new Set(linesIn(file, z.object({ instance_id: z.string() })).map(({ instance_id }) => instance_id));
  let failed = 0;
  for (const { id, ...instance } of given.instances) {
    if (done.has(id)) continue;
    try {
      const { ended, detail, patch } = await workOn({ id, ...instance }, given);
      const line = { instance_id: id, model_name_or_path: `${agent.name}-${model}`, model_patch: patch };
      appendFileSync(file, `${JSON.stringify(line)}\n`);
      done.add(id);
      given.report(`${id}: ${patch === '' ? 'no patch' : 'a patch'}, ${ended}: ${detail.split('\n')[0]}`);
    } catch (error) {
      given.signal.throwIfAborted();
      if (!(error instanceof InfrastructureError || error instanceof UsageError)) throw error;
      failed += 1;
      given.report(`${id}: ${error.message}`);
    }
  }
  return { written: done.size, failed };
}

async function workOn(instance: Instance, given: Predict): Promise<WorkEnd> {
  const folder = join(given.folder, 'trials', instance.id);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    return await workIn(folder, instance, given);
  } finally {
    removeTrees(folder);
  }
}

async function workIn(folder: string, instance: Instance, given: Predict): Promise<WorkEnd> {
  const clone = join(given.clones, instance.repo.replace('/', '__'));
  if (!existsSync(clone)) throw new UsageError(`There is no clone of ${instance.repo} at ${clone}.`);
  exportTree(clone, instance.baseCommit, join(folder, 'files'));
  await using model = given.agent.usesModel ? await openRecorded(given.model, folder) : null;
  const started = Date.now();
  const end = await workWithin(given.limitMs, given.agent, {
    instruction: instance.problem,
    repo: makeTaskRepo(join(folder, 'files'), join(folder, 'base')),
    folder,
    // The evaluation has an image with everything installed; here, without a network, nothing can be.
    setupCommand: null,
    testCommand: instance.testCommand,
    allowHosts: [],
    model: model?.model ?? null,
    sandbox: given.sandbox,
    signal: given.signal,
  });
  requireModel(end, model);
  const { ended, detail, costUsd } = end;
  const took = { duration_ms: Date.now() - started, ...usedFields(model?.use()), cost_usd: costUsd };
  const record = { instance_id: instance.id, ended, detail, ...took };
  appendFileSync(join(given.folder, 'instances.jsonl'), `${JSON.stringify(record)}\n`);
  return end;
}
