import type { JournalEntry } from '@sluice/core/agent';

/** The state to which a new tree must be restored before the journal of the round can continue. */
export type ResumePoint =
  /** The round's start, or its last checkpoint. */
  | {
      readonly kind: 'start' | 'checkpoint';
      /** The commit of the checkpoint. */
      readonly commit: string | null;
      /** An effect was begun since: the journal needs an entry that it is not in the tree. */
      readonly isUndone: boolean;
    }
  /** The journal counts work as done that no checkpoint holds. */
  | { readonly kind: 'lost' };

/**
 * Finds it in the journal of the round. Only calls of the last turn may have been executed since the last checkpoint: they
 * are reopened. The effects of earlier turns must be in a checkpoint.
 */
export function resumePoint(entries: readonly JournalEntry[]): ResumePoint {
  const kept = entries.findLast((entry) => entry.kind === 'checkpoint');
  if (kept?.commit === null) return { kind: 'lost' };
  const since = entries.slice(entries.findLastIndex(({ kind }) => kind === 'checkpoint' || kind === 'rewind') + 1);
  const begun = since.findIndex(({ kind }) => kind === 'begin');
  const answered = since.findLastIndex(({ kind }) => kind === 'message');
  const isUndone = begun !== -1;
  if (isUndone && begun < answered) return { kind: 'lost' };
  return { kind: kept === undefined ? 'start' : 'checkpoint', commit: kept?.commit ?? null, isUndone };
}
