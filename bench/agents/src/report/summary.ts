import type { BenchResult, TrialRecord } from '../run/trial-record.ts';
import { type SampleMean, sampleMean } from './sample-mean.ts';

/** The results of an agent. Shares are of the trials that count: those without a failure of the surroundings. */
export interface AgentSummary {
  readonly agent: string;
  /** The share of trials that solved their task, averaged over tasks, with its 95 % interval over tasks. */
  readonly solved: SampleMean | null;
  readonly trials: number;
  /** Trials that an exception of the agent ended. They count as unsolved. */
  readonly errors: number;
  readonly infrastructure: number;
  /** Means of a trial. */
  readonly turns: number;
  readonly inputTokens: number;
  readonly cachedShare: number;
  readonly outputTokens: number;
  readonly seconds: number;
  /** In US dollars, of the trials whose cost is known; null where none is. A trial that was stopped has no known cost. */
  readonly costUsd: number | null;
  readonly costTrials: number;
}

/** The tasks that one agent solves more than another, paired by task. */
export interface Comparison {
  readonly agent: string;
  readonly than: string;
  readonly tasks: number;
  readonly difference: SampleMean;
}

/** The figures of each agent, in the order in which they first ran. */
export function summarize({ trials }: Pick<BenchResult, 'trials'>): AgentSummary[] {
  return [...Map.groupBy(trials, ({ agent }) => agent)].map(([agent, own]) => {
    const counted = own.filter(({ outcome }) => outcome !== 'infrastructure');
    const mean = (figure: (trial: TrialRecord) => number) =>
      counted.length === 0 ? 0 : counted.reduce((sum, trial) => sum + figure(trial), 0) / counted.length;
    const input = mean((trial) => trial.input_tokens);
    const costs = counted.flatMap(({ cost_usd }) => cost_usd ?? []);
    const shares = [...solvedByTask(counted).values()];
    return {
      agent,
      solved: shares.length === 0 ? null : sampleMean(shares, 0),
      trials: counted.length,
      errors: counted.filter(({ ended }) => ended === 'error').length,
      infrastructure: own.length - counted.length,
      turns: mean((trial) => trial.turns),
      inputTokens: input,
      cachedShare: input === 0 ? 0 : mean((trial) => trial.cached_tokens) / input,
      outputTokens: mean((trial) => trial.output_tokens),
      seconds: mean((trial) => trial.duration_ms) / 1_000,
      costUsd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0) / costs.length,
      costTrials: costs.length,
    };
  });
}

/**
 * The difference between two agents on the tasks that both have a trial on. Tasks differ far more than agents do, so only
 * the pairs are compared. Null when there is no such task.
 */
export function compare({ trials }: Pick<BenchResult, 'trials'>, agent: string, than: string): Comparison | null {
  const of = (name: string) =>
    solvedByTask(trials.filter((trial) => trial.agent === name && trial.outcome !== 'infrastructure'));
  const [ours, theirs] = [of(agent), of(than)];
  const differences = [...ours].flatMap(([task, share]) => {
    const other = theirs.get(task);
    return other === undefined ? [] : [share - other];
  });
  if (differences.length === 0) return null;
  return { agent, than, tasks: differences.length, difference: sampleMean(differences, -1) };
}

/** The share of a task's trials that solved it. Runs of one task are no independent samples, so tasks are drawn. */
function solvedByTask(trials: readonly TrialRecord[]): Map<string, number> {
  const groups = Map.groupBy(trials, ({ task }) => task);
  return new Map(
    [...groups].map(([task, own]) => [task, own.filter(({ outcome }) => outcome === 'solved').length / own.length]),
  );
}
