import type { IssueId } from '../id/id.ts';

/** The gates that wait for a decision, over all issues. */
export interface GateStore {
  /** Issues whose gate nobody answered in time. */
  expiredGates(now: Date): Promise<readonly IssueId[]>;
  /** Issues that hold a slot at a gate that was opened at `requestedBy` or before. */
  gatesHoldingSlots(requestedBy: Date): Promise<readonly IssueId[]>;
  /**
   * Frees the slots of all issues that wait for a person, and starts others in them. Does nothing where the stores were
   * opened to keep those slots.
   *
   * @returns how many slots
   */
  freeGateSlots(): Promise<number>;
}
