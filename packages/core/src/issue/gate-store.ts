import type { IssueId } from '../id/id.ts';

/** The open gates of all issues. */
export interface GateStore {
  /** Issues whose gate has expired without a decision. */
  expiredGates(now: Date): Promise<readonly IssueId[]>;
  /** Issues that hold a slot at a gate opened no later than `requestedBy`. */
  gatesHoldingSlots(requestedBy: Date): Promise<readonly IssueId[]>;
  /**
   * Frees the slots of all issues at a gate, and starts queued issues in them. Does nothing where gates keep their slots.
   *
   * @returns the number of slots
   */
  freeGateSlots(): Promise<number>;
}
