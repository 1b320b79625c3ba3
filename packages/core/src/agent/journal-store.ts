import type { IssueId } from '../id/id.ts';
import type { NewEvent } from '../issue/event-catalog.ts';
import type { Lease } from '../issue/lease-store.ts';
import type { Stage } from '../pipeline/stages.ts';
import type { Usage } from '../pipeline/usage.ts';
import type { Checkpoint } from '../workspace/workspace.ts';

/**
 * The reading of a test run's output, in the journal of the `test` stage's round; the base's is round 0. A begin without an
 * end: the process died while it read. `given_up`: it took too much time or memory. `interrupted`: the service was told to
 * stop, or the issue was.
 */
export type ReadingEntry =
  | { readonly kind: 'reading_begun' }
  | { readonly kind: 'reading_ended'; readonly outcome: 'read' | 'given_up' | 'interrupted' };

/** One line of a round's journal: what must not happen twice. */
export type JournalEntry =
  | ReadingEntry
  | { readonly kind: 'message'; readonly message: unknown }
  /** An effect may happen from now on. */
  | { readonly kind: 'begin'; readonly callId: string }
  | {
      readonly kind: 'result';
      readonly callId: string;
      readonly message: unknown;
    }
  /** What one answer of a model took; `model` is its name as configured. Added to the issue's usage in the same write. */
  | { readonly kind: 'usage'; readonly usage: Usage; readonly model: string }
  /** Places that the agent was shown before it began: what retrieval is judged by. */
  | { readonly kind: 'retrieved'; readonly paths: readonly string[] }
  /** A person's note, by the number of its event; from now on it counts as read. */
  | { readonly kind: 'note'; readonly seq: number; readonly message: unknown }
  /** The results of the first `results` tool calls are shortened from now on, so that the model's window holds the rest. */
  | { readonly kind: 'trim'; readonly results: number }
  /** The tree as it stands is kept in this commit; null where it could not be kept. */
  | { readonly kind: 'checkpoint'; readonly commit: string | null }
  /** The tree was lost and put back to the last checkpoint: no call of the last answer has been carried out. */
  | { readonly kind: 'rewind' }
  | { readonly kind: 'done'; readonly output: unknown };

/** What a person wrote to the working agent. */
export interface Note {
  /** The number of its `user.message` event. */
  readonly seq: number;
  readonly text: string;
}

/** What goes into a journal in one write. */
export interface JournalWrite {
  readonly entries: readonly JournalEntry[];
  readonly events: readonly NewEvent[];
  readonly checkpoint?: Checkpoint | undefined;
}

/** Names one journal: the work in one round of a stage. Attempts of the round share it. */
export interface JournalKey {
  readonly stage: Stage;
  readonly round: number;
}

/** The journals of agents. Writes return false when the lease is lost: nothing was written. */
export interface JournalStore {
  journal(issueId: IssueId, key: JournalKey): Promise<readonly JournalEntry[]>;
  /**
   * Appends to a journal, with the events that tell of it, in one write. In the same write `usage` entries are added to
   * the issue's usage, `note` entries mark their notes as read, and `checkpoint` becomes the kept one of kind `work`.
   */
  appendJournal(lease: Lease, key: JournalKey, written: JournalWrite): Promise<boolean>;
  /** What people wrote to the agent and no agent has read, in order. */
  notes(issueId: IssueId): Promise<readonly Note[]>;
}
