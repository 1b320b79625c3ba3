import type { CheckpointKind, JournalEntry, LeftOut, LogChunk } from '@sluice/core/agent';
import type { Stage } from '@sluice/core/pipeline';
import type { WorkspaceDiff } from '@sluice/core/workspace';
import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Kit } from './kit.ts';
import { issueIdColumn } from './schema-issues.ts';

/** How an attempt ended; `interrupted` when its worker died, or the issue was changed under it. */
type AttemptEnd = 'completed' | 'failed' | 'interrupted';

/** The attempts of an issue's stages (`steps`), and what they leave: journals, diff, checkpoints and command output. */
export function makeAttemptTables(kit: Kit, issues: { id: PgColumn }) {
  const steps = kit.table(
    'steps',
    {
      ordinal: kit.identity('ordinal'),
      issueId: issueIdColumn(kit, issues),
      stage: kit.text('stage').$type<Stage>().notNull(),
      round: kit.int('round').notNull(),
      attempt: kit.int('attempt').notNull(),
      agent: kit.text('agent').notNull(),
      startedAt: kit.instant('started_at').notNull(),
      finishedAt: kit.instant('finished_at'),
      outcome: kit.text('outcome').$type<AttemptEnd>(),
      inputTokens: kit.big('input_tokens'),
      outputTokens: kit.big('output_tokens'),
      costUsd: kit.real('cost_usd'),
      detail: kit.text('detail'),
    },
    (t) => [
      kit.uniqueIndex('steps_attempt').on(t.issueId, t.stage, t.round, t.attempt),
      kit.check('steps_end_whole', sql.raw('(outcome is null) = (finished_at is null)')),
    ],
  );

  const journalEntries = kit.table(
    'journal_entries',
    {
      ordinal: kit.identity('ordinal'),
      issueId: issueIdColumn(kit, issues),
      stage: kit.text('stage').$type<Stage>().notNull(),
      round: kit.int('round').notNull(),
      entry: kit.json<JournalEntry>('entry').notNull(),
    },
    (t) => [kit.index('journal_entries_of_round').on(t.issueId, t.stage, t.round, t.ordinal)],
  );

  /** The diff so far, one per issue, so that any process can show it without the working tree. */
  const patches = kit.table('patches', {
    issueId: issueIdColumn(kit, issues).primaryKey(),
    baseCommit: kit.text('base_commit').notNull(),
    headCommit: kit.text('head_commit'),
    files: kit.json<WorkspaceDiff['files']>('files').notNull(),
    diff: kit.text('diff').notNull(),
    updatedAt: kit.instant('updated_at').notNull(),
    /** A digest of what is shown of it, see `diffs.ts`. Null in rows of an older release. */
    shown: kit.text('shown'),
  });

  /**
   * Checkpoints from which any host can continue the issue, until it can no longer be retried. The patch is compressed.
   */
  const checkpoints = kit.table(
    'checkpoints',
    {
      issueId: issueIdColumn(kit, issues),
      kind: kit.text('kind').$type<CheckpointKind>().notNull(),
      commit: kit.text('commit').notNull(),
      object: kit.text('object').notNull(),
      patch: kit.bytes('patch').notNull(),
      updatedAt: kit.instant('updated_at').notNull(),
    },
    (t) => [kit.primaryKey({ name: 'checkpoints_pk', columns: [t.issueId, t.kind] })],
  );

  const commandLog = kit.table(
    'command_log',
    {
      issueId: issueIdColumn(kit, issues),
      seq: kit.int('seq').notNull(),
      command: kit.text('command').notNull(),
      /** The number of the `command.started` of its run. Null in rows of an older release. */
      runSeq: kit.int('run_seq'),
      stream: kit.text('stream').$type<LogChunk['stream']>().notNull(),
      text: kit.text('text').notNull(),
      /** Null in what the command wrote. */
      leftOut: kit.json<LeftOut>('left_out'),
      at: kit.instant('at').notNull(),
    },
    (t) => [kit.primaryKey({ name: 'command_log_pk', columns: [t.issueId, t.seq] })],
  );

  return { steps, journalEntries, patches, checkpoints, commandLog };
}
