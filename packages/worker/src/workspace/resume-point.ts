import type { JournalEntry } from '@sluice/core';

/** What a round's tree must be put back to, before its journal can be gone on with in a new tree. */
export type ResumePoint =
  /** The round's start, or its last checkpoint. */
  | {
      readonly kind: 'start' | 'checkpoint';
      /** Of the checkpoint. */
      readonly commit: string | null;
      /** Something was begun since: the journal must be told that it is not in the tree. */
      readonly isUndone: boolean;
    }
  /** The journal counts something as done that no checkpoint holds. */
  | { readonly kind: 'lost' };

/**
 * Finds it in the round's journal. Only calls of the last answer may have been carried out since the last checkpoint:
 * those are opened again. What an earlier answer did must be in a checkpoint.
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
