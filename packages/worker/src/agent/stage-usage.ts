import { addUsage, exactUsd, type JournalEntry, NO_USAGE, pipelineStages, type Usage } from '@sluice/core';
import type { StageContext } from '../stage/stage-context.ts';

/** What a stage's agent took: both are the journal's word, so they are right after a kill too. */
export interface StageUsage {
  /** Of the round, restarts and failed attempts included. */
  readonly round: Usage;
  /** This run's part: what no earlier run of the round shows. So the runs of an issue add up to its usage. */
  readonly attempt: Usage;
}

/** Adds up what the round's journal says. A run that was cut off shows nothing; what it took is the next one's. */
export async function stageUsage({ deps, execution, step, journaled }: StageContext): Promise<StageUsage> {
  const { stage, round, attempt } = step;
  if (pipelineStages[stage].agent === 'service') return { round: NO_USAGE, attempt: NO_USAGE };
  const { id } = execution.issue();
  const total = journaled ?? journaledUsage(await deps.runs.journal(id, { stage, round }));
  if (attempt === 1) return { round: total, attempt: total };
  const runs = (await deps.runs.steps(id)).filter((one) => one.stage === stage && one.round === round);
  const shown = runs.reduce((sum, { usage }) => (usage === null ? sum : addUsage(sum, usage)), NO_USAGE);
  return { round: total, attempt: without(total, shown) };
}

export function journaledUsage(entries: readonly JournalEntry[]): Usage {
  return entries.reduce((sum, entry) => (entry.kind === 'usage' ? addUsage(sum, entry.usage) : sum), NO_USAGE);
}

function without(total: Usage, shown: Usage): Usage {
  const isPriced = total.cost_usd !== null && shown.cost_usd !== null;
  return {
    input_tokens: total.input_tokens - shown.input_tokens,
    output_tokens: total.output_tokens - shown.output_tokens,
    cost_usd: isPriced ? exactUsd((total.cost_usd ?? 0) - (shown.cost_usd ?? 0)) : null,
  };
}
