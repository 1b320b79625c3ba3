import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '@sluice/core';
import { type AgentOutcome, type BenchAgent, InfrastructureError } from '../agent/bench-agent.ts';
import { makeTaskRepo } from '../repo/task-repo.ts';
import type { Task } from '../task/task.ts';
import { grade } from './grade.ts';
import { type OpenTrialModel, requireModel } from './trial-model.ts';
import type { TrialRecord } from './trial-record.ts';

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
 * surroundings is an outcome of its own. Only a cancelled run rejects.
 */
export async function runTrial({ task, agent, run }: TrialPlan, setting: TrialSetting): Promise<TrialRecord> {
  const name = `trials/${task.id}/${agent.name}-${run}`;
  const folder = join(setting.folder, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'instruction.md'), task.instruction);
  writeFileSync(join(folder, 'change.patch'), '');
  const started = Date.now();
  const timeout = AbortSignal.timeout(task.agentMs);
  const signal = AbortSignal.any([setting.signal, timeout]);
  const repo = makeTaskRepo(task.files, join(folder, 'base'));
  const model = agent.usesModel ? await setting.openModel(task, folder) : null;
  const record = (
    how: Pick<TrialRecord, 'outcome' | 'ended' | 'detail' | 'tests'>,
    costUsd: number | null,
  ): TrialRecord => {
    const use = model?.use() ?? { turns: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0 };
    return {
      task: task.id,
      agent: agent.name,
      run,
      ...how,
      duration_ms: Date.now() - started,
      turns: use.turns,
      input_tokens: use.inputTokens,
      cached_tokens: use.cachedTokens,
      output_tokens: use.outputTokens,
      cost_usd: costUsd,
      folder: name,
    };
  };
  try {
    const outcome = await agent.work({
      instruction: task.instruction,
      repo,
      folder,
      setupCommand: task.setupCommand,
      testCommand: task.testCommand,
      allowHosts: task.allowHosts,
      model: model?.model ?? null,
      sandbox: setting.sandbox,
      signal,
    });
    requireModel(outcome, model);
    const { reward, detail: tests } = await grade(outcome.patch, { ...setting, folder, task, repo });
    return record({ outcome: reward >= 1 ? 'solved' : 'unsolved', ...endOf(outcome), tests }, outcome.costUsd);
  } catch (error) {
    setting.signal.throwIfAborted();
    if (timeout.aborted) {
      const detail = `It was stopped after ${task.agentMs / 1_000} s.`;
      return record({ outcome: 'unsolved', ended: 'timeout', detail, tests: '' }, null);
    }
    // A bug of the bench or of the service is no fault of the model, and must not look like one.
    const detail = error instanceof Error ? error.message : String(error);
    const ended = error instanceof InfrastructureError ? 'infrastructure' : 'error';
    return record({ outcome: 'infrastructure', ended, detail, tests: '' }, null);
  } finally {
    await model?.[Symbol.asyncDispose]();
    for (const scratch of ['tree', 'graded', 'base-tree'])
      rmSync(join(folder, scratch), { recursive: true, force: true });
  }
}

function endOf({ ended, detail }: AgentOutcome): Pick<TrialRecord, 'ended' | 'detail'> {
  return { ended, detail };
}
