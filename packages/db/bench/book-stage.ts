import type { Attempt, Lease } from '@sluice/core/issue';
import type { Stores } from '../src/index.ts';

const USAGE = { input_tokens: 10, output_tokens: 5, cost_usd: 0 };
/** The output of an agent's work; the peers' steps give back the same. */
export const OUTPUT = {
  summary: 'what an agent gives back when it is done, as long as it usually is',
  steps: ['one', 'two'],
};

/**
 * The worker's writes for a stage in the middle of a drive, that an agent worked in: its journal, and its end with the
 * issue's next stage and the beginning of that one's run. The first call opens the first run besides.
 */
export function bookStages({ runs, issues }: Stores, lease: Lease): () => Promise<void> {
  const { issueId } = lease;
  const next = { stage: 'triage', round: 1, agent: 'triager' } as const;
  let begun: Attempt | null = null;
  return async () => {
    begun ??= await runs.beginAttempt(lease, next);
    if (begun === null) throw new Error('the lease was lost');
    await runs.appendJournal(lease, begun, {
      entries: [
        { kind: 'usage', usage: USAGE, model: 'bench/none' },
        { kind: 'done', output: OUTPUT },
      ],
      events: [],
    });
    const { stage, round, attempt } = begun;
    const outcome = await issues.apply({
      issueId,
      from: { status: 'running' },
      trigger: 'stage_advanced',
      lease,
      set: { stage },
      ended: { stage, round, attempt, outcome: 'completed', usage: USAGE, detail: null },
      begin: next,
      events: [
        {
          type: 'stage.completed',
          data: { stage, attempt, agent: 'triager', duration_ms: 1, usage: USAGE, detail: null },
        },
      ],
    });
    if (outcome.kind !== 'applied') throw new Error(`the stage's end was not written: ${outcome.kind}`);
    begun = outcome.attempt ?? null;
  };
}
