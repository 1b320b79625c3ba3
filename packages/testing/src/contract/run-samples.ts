import type { AttemptOutcome } from '@sluice/core/issue';
import type { RepoIndex } from '@sluice/core/repo';
import type { Checkpoint, WorkspaceDiff } from '@sluice/core/workspace';

/** Milliseconds of a lease that is over at once, and of one that outlasts its test. */
export const SHORT_MS = 1;
export const LONG_MS = 600_000;

export const aMessage = { type: 'user.message', data: { text: 'Look at sum, too.' } } as const;
export const aDiff: WorkspaceDiff = {
  base_commit: 'ba5e',
  head_commit: null,
  files: [{ path: 'a', additions: 1, deletions: 0 }],
  diff: '+one\n',
};
export const aCheckpoint: Checkpoint = {
  commit: 'c0ffee',
  object: 'tree 1\nparent 2\nauthor Ada <ada@example.test> 0 +0000\n\nWörk\n',
  patch: Buffer.from('diff --git a/a b/a\n+\xff\0\n', 'latin1'),
};
export const anIndex: RepoIndex = { commit: 'c0ffee', files: 3, chunks: 9, updated_at: '2026-11-20T09:15:00.000Z' };
export const anAttemptEnd: AttemptOutcome = {
  stage: 'plan',
  round: 1,
  attempt: 1,
  outcome: 'failed',
  usage: { input_tokens: 1, output_tokens: 1, cost_usd: null },
  detail: 'The provider is overloaded.',
};
export const aStageFailure = {
  type: 'stage.failed',
  data: {
    stage: 'plan',
    agent: 'planner',
    attempt: 1,
    duration_ms: 1,
    detail: 'The provider is overloaded.',
    will_retry: true,
  },
} as const;
