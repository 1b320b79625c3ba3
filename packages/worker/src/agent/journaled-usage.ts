import { addUsage, NO_USAGE, stageRound, type Usage } from '@sluice/core';
import type { StageRun } from '../stage/stage-run.ts';

/**
 * What an agent's round has used so far, by its journal: the usage of a stage that fails is paid for all the same.
 * The round is the one that the issue is in: what a round that was given up had used is the issue's already.
 */
export async function journaledUsage(stage: StageRun): Promise<Usage> {
  const { deps, run, step } = stage;
  const issue = run.issue();
  const round = stageRound(step.stage, issue);
  const entries = await deps.runs.journal(issue.id, { stage: step.stage, round });
  return entries.reduce((sum, entry) => (entry.kind === 'usage' ? addUsage(sum, entry.usage) : sum), NO_USAGE);
}
