import { addUsage, NO_USAGE, type Usage } from '@sluice/core';
import type { StageRun } from '../stage/stage-run.ts';

/** What an agent's round has used so far, by its journal: the usage of a stage that fails is paid for all the same. */
export async function journaledUsage(stage: StageRun): Promise<Usage> {
  const { deps, run, step } = stage;
  const entries = await deps.runs.journal(run.issue().id, { stage: step.stage, round: step.round });
  return entries.reduce((sum, entry) => (entry.kind === 'usage' ? addUsage(sum, entry.usage) : sum), NO_USAGE);
}
