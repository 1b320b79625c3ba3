import { appendFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '@sluice/core';
import * as z from 'zod';
import type { BenchAgent } from '../agent/bench-agent.ts';
import { makeTaskRepo } from '../repo/task-repo.ts';
import { linesIn } from '../run/lines-in.ts';
import { openRecorded, requireModel } from '../run/trial-model.ts';
import { exportTree } from '../task/export-tree.ts';
import type { Instance } from './dataset.ts';

export interface Predict {
  readonly instances: readonly Instance[];
  readonly agent: BenchAgent;
  /** As configured. */
  readonly model: string;
  /** Holds a clone of each repository, as `owner__name`. */
  readonly clones: string;
  readonly folder: string;
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
  report(line: string): void;
}

/**
 * Writes `predictions.jsonl` in the format that the evaluation of SWE-bench takes: `instance_id`, `model_name_or_path` and
 * `model_patch` (https://www.swebench.com/SWE-bench/guides/evaluation). Instances that are in it already are left out, so
 * a run that was stopped goes on. A failure of the surroundings writes nothing, and is tried at the next run.
 *
 * @returns how many instances failed
 */
export async function predict(given: Predict): Promise<number> {
  mkdirSync(given.folder, { recursive: true });
  const file = join(given.folder, 'predictions.jsonl');
  const done = new Set(idsIn(file));
  let failures = 0;
  for (const instance of given.instances.filter(({ id }) => !done.has(id))) {
    try {
      const patch = await patchFor(instance, given);
      const name = `${given.agent.name}-${given.model}`;
      const line = { instance_id: instance.id, model_name_or_path: name, model_patch: patch };
      appendFileSync(file, `${JSON.stringify(line)}\n`);
      given.report(`${instance.id}: ${patch === '' ? 'no patch' : 'a patch'}`);
    } catch (error) {
      given.signal.throwIfAborted();
      failures += 1;
      given.report(`${instance.id}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return failures;
}

async function patchFor(instance: Instance, given: Predict): Promise<string> {
  const folder = join(given.folder, 'trials', instance.id);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const clone = join(given.clones, instance.repo.replace('/', '__'));
  if (!existsSync(clone)) throw new Error(`There is no clone of ${instance.repo} at ${clone}.`);
  exportTree(clone, instance.baseCommit, join(folder, 'files'));
  await using model = given.agent.usesModel ? await openRecorded(given.model, folder) : null;
  const outcome = await given.agent.work({
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
  requireModel(outcome, model);
  return outcome.patch;
}

function idsIn(file: string): string[] {
  return linesIn(file, z.object({ instance_id: z.string() })).map(({ instance_id }) => instance_id);
}
