import type { JournalEntry } from '@sluice/core/agent';
import { addUsage, exactUsd, NO_USAGE, pipelineStages, type Usage } from '@sluice/core/pipeline';
import type { StageContext } from '../stage/stage-context.ts';

/** The usage of a stage's agent. Both figures come from the journal, so they are right after a kill too. */
export interface StageUsage {
  /** The whole round, with restarts and failed attempts. */
  readonly round: Usage;
  /** This attempt's share: what no earlier attempt of the round shows, so that the attempts of an issue add up to its usage. */
  readonly attempt: Usage;
}

/** Adds up the round's journal. An attempt that was cut off shows no usage; the next one includes it. */
export async function stageUsage({
  deps,
  execution,
  attempt: current,
  journaled,
}: StageContext<'runs'>): Promise<StageUsage> {
  const { stage, round, attempt } = current;
  if (pipelineStages[stage].agent === 'service') return { round: NO_USAGE, attempt: NO_USAGE };
  const { id } = execution.issue();
  const total = journaled ?? journaledUsage(await deps.runs.journal(id, { stage, round }));
  if (attempt === 1) return { round: total, attempt: total };
  const runs = (await deps.runs.attempts(id)).filter((one) => one.stage === stage && one.round === round);
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
