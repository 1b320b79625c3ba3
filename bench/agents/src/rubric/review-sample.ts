import { createHash } from 'node:crypto';
import type { BenchResult, TrialRecord } from '../run/trial-record.ts';

/**
 * The name of a change on the page. It tells neither the agent nor the task, and stays when the run goes on: reviewers may
 * have answered by then.
 */
export function changeId({ started_at }: Pick<BenchResult, 'started_at'>, { task, agent, run }: TrialRecord): string {
  return createHash('sha256').update(`${started_at} ${task} ${agent} ${run}`).digest('hex').slice(0, 12);
}

/**
 * A sample of the changes of a run for people to judge: of agents with a model, spread evenly over agents, in an order that
 * does not tell them apart. The same seed gives the same sample.
 */
export function reviewSample(result: BenchResult, { size, seed }: { readonly size: number; readonly seed: number }) {
  const judged = result.trials.filter(({ agent, outcome }) => {
    return agent !== 'oracle' && agent !== 'noop' && outcome !== 'infrastructure';
  });
  const order = (trial: TrialRecord) =>
    createHash('sha256')
      .update(`${seed} ${changeId(result, trial)}`)
      .digest('hex');
  const byOrder = (one: TrialRecord, other: TrialRecord) => (order(one) < order(other) ? -1 : 1);
  const byAgent = [...Map.groupBy(judged, ({ agent }) => agent).values()].map((own) => own.sort(byOrder));
  const spread = Array.from({ length: judged.length }, (_, at) => byAgent.flatMap((own) => own[at] ?? [])).flat();
  return spread.slice(0, size).sort(byOrder);
}
