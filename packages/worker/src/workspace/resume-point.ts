import type { JournalEntry } from '@sluice/core';

/** What a round's tree must be put back to, before its journal can be gone on with in a new tree. */
export type ResumePoint =
  /** Nothing that counts was written since the round began. */
  | { readonly kind: 'start' }
  | { readonly kind: 'checkpoint'; readonly commit: string }
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
  if (begun !== -1 && begun < answered) return { kind: 'lost' };
  return kept === undefined ? { kind: 'start' } : { kind: 'checkpoint', commit: kept.commit };
}
