import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '@sluice/core/workspace';
import { type BenchAgent, InfrastructureError } from '../agent/bench-agent.ts';
import { makeTaskRepo } from '../repo/task-repo.ts';
import type { Task } from '../task/task.ts';
import { grade } from './grade.ts';
import { usedFields } from './model-recorder.ts';
import { removeTrees } from './remove-trees.ts';
import { type OpenTrialModel, requireModel } from './trial-model.ts';
import type { TrialRecord } from './trial-record.ts';
import { workWithin } from './work-within.ts';

export interface TrialPlan {
  readonly task: Task;
  readonly agent: BenchAgent;
  readonly run: number;
}

/** Where trials run. */
export interface TrialSetting {
  /** The run's folder. */
  readonly folder: string;
  readonly sandbox: Sandbox;
  /** Opens the model of the run for one trial; not called for agents without a model. */
  readonly openModel: OpenTrialModel;
  readonly signal: AbortSignal;
}

/**
 * Lets an agent work on a task and tests what it leaves. Never throws for what the agent does: a failure of the
 * surroundings is an outcome of its own. Only a cancelled run rejects, and one that meets a bug of the bench or a machine
 * on which nothing can be tested, such as one with a full disk.
 */
export async function runTrial({ task, agent, run }: TrialPlan, setting: TrialSetting): Promise<TrialRecord> {
  const name = `trials/${task.id}/${agent.name}-${run}`;
  const folder = join(setting.folder, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'instruction.md'), task.instruction);
  writeFileSync(join(folder, 'change.patch'), '');
  const started = Date.now();
  const repo = makeTaskRepo(task.files, join(folder, 'base'));
  const model = agent.usesModel ? await setting.openModel(task, folder) : null;
  const record = (
    how: Pick<TrialRecord, 'outcome' | 'ended' | 'detail' | 'tests'>,
    costUsd: number | null,
  ): TrialRecord => ({
    task: task.id,
    agent: agent.name,
    run,
    ...how,
    duration_ms: Date.now() - started,
    ...usedFields(model?.use()),
    cost_usd: costUsd,
    folder: name,
  });
  try {
    const end = await workWithin(task.agentMs, agent, {
      instruction: task.instruction,
      repo,
      folder,
      setupCommand: task.setupCommand,
      testCommand: task.testCommand,
      allowHosts: task.allowHosts,
      model: model?.model ?? null,
      sandbox: setting.sandbox,
      signal: setting.signal,
    });
    requireModel(end, model);
    const { ended, detail, costUsd } = end;
    if (ended === 'timeout' || ended === 'error')
      return record({ outcome: 'unsolved', ended, detail, tests: '' }, costUsd);
    const { reward, detail: tests } = await grade(end.patch, { ...setting, folder, task, repo });
    return record({ outcome: reward >= 1 ? 'solved' : 'unsolved', ended, detail, tests }, costUsd);
  } catch (error) {
    setting.signal.throwIfAborted();
    if (!(error instanceof InfrastructureError)) throw error;
    const outcome = 'infrastructure';
    return record({ outcome, ended: outcome, detail: error.message, tests: '' }, null);
  } finally {
    await model?.[Symbol.asyncDispose]();
    removeTrees(folder);
  }
}
