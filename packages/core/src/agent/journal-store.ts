import type { IssueId } from '../id/id.ts';
import type { NewEvent } from '../issue/event-catalog.ts';
import type { Lease } from '../issue/lease.ts';
import type { Stage } from '../pipeline/stages.ts';
import type { Usage } from '../pipeline/usage.ts';
import type { Checkpoint } from '../workspace/workspace.ts';

/**
 * Parsing of a test run's output, in the journal of the round of `test`; round 0 is the base. A begin without an end means
 * that the process died. `given_up`: it took too much time or memory. `interrupted`: the service or the issue was stopped.
 */
export type ReadingEntry =
  | { readonly kind: 'reading_begun' }
  | { readonly kind: 'reading_ended'; readonly outcome: 'read' | 'given_up' | 'interrupted' };

/**
 * `loop`: it goes round in circles. `budget`: a limit is nearly reached, so it must come to an end. `advice`: the repository
 * has advice for what it has just read.
 */
export type ToldAbout = 'loop' | 'budget' | 'advice';

/** An entry in the journal of a round: something that must not happen twice. */
export type JournalEntry =
  | ReadingEntry
  | { readonly kind: 'message'; readonly message: unknown }
  /** The effect of a call may have happened. */
  | { readonly kind: 'begin'; readonly callId: string }
  | {
      readonly kind: 'result';
      readonly callId: string;
      readonly message: unknown;
    }
  /**
   * The usage of one turn; `model` is the configured name. Added to the issue's usage in the same transaction.
   * `isEstimate`: of an answer that broke off, so that nobody has counted it.
   */
  | { readonly kind: 'usage'; readonly usage: Usage; readonly model: string; readonly isEstimate?: boolean | undefined }
  /** The paths that the agent was shown at the start, by which retrieval is judged. */
  | { readonly kind: 'retrieved'; readonly paths: readonly string[] }
  /** A note, by the number of its event. It counts as read. */
  | { readonly kind: 'note'; readonly seq: number; readonly message: unknown }
  /** A message of the service to the agent, once for what it is about. */
  | { readonly kind: 'told'; readonly about: ToldAbout; readonly message: unknown }
  /**
   * From here on, the results of the first `results` tool calls are shortened to fit the context window, to `kept`
   * characters (400 in entries without it); of the first `spent` calls also what nobody needs any more; and every other
   * result to `longest` characters.
   */
  | {
      readonly kind: 'trim';
      readonly results: number;
      readonly spent?: number | undefined;
      readonly longest?: number | undefined;
      readonly kept?: number | undefined;
    }
  /** The working tree was saved in this commit; null when it was too large. */
  | { readonly kind: 'checkpoint'; readonly commit: string | null }
  /** The working tree was lost and restored to the last checkpoint. No call of the last turn was executed. */
  | { readonly kind: 'rewind' }
  | { readonly kind: 'done'; readonly output: unknown };

/** A person's note to the working agent. */
export interface Note {
  /** The number of its `user.message` event. */
  readonly seq: number;
  readonly text: string;
}

/** What a person said to the agents of an issue, at a time when the one that reads it was not at work. */
export interface Said {
  /** `guidance` was given at the publish gate, a `note` at any time. */
  readonly kind: 'note' | 'guidance';
  readonly text: string;
}

/** One write to a journal. */
export interface JournalWrite {
  readonly entries: readonly JournalEntry[];
  readonly events: readonly NewEvent[];
  readonly checkpoint?: Checkpoint | undefined;
}

/** The key of a journal: one round of a stage. All attempts of the round share it. */
export interface JournalKey {
  readonly stage: Stage;
  readonly round: number;
}

/** The journals of agents. Writes return false when the lease is lost: nothing was written. */
export interface JournalStore {
  journal(issueId: IssueId, key: JournalKey): Promise<readonly JournalEntry[]>;
  /**
   * Appends entries and their events in one transaction. It also adds `usage` entries to the issue's usage, marks the notes
   * of `note` entries as read, and saves `checkpoint` as the one of kind `work`.
   */
  appendJournal(lease: Lease, key: JournalKey, written: JournalWrite): Promise<boolean>;
  /** Unread notes to the agent, in order. */
  notes(issueId: IssueId): Promise<readonly Note[]>;
  /** The notes that an agent has read, and the guidance at the publish gate since the plan was made, in order. */
  said(issueId: IssueId): Promise<readonly Said[]>;
}
