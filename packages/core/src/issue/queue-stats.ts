/** How much waits, on all processes that share the database. */
export interface QueueLoad {
  /** Issues that wait for a slot. */
  readonly queued: number;
  /** Issues that hold one. */
  readonly active: number;
  /** Issues that hold one at a gate that nobody has answered for `GATE_REMINDER_MS`. */
  readonly longAtGate: number;
  /** How long the one that has waited longest waits; 0 when none does. */
  readonly oldestQueuedMs: number;
}

/** Counts the queue. */
export interface QueueStats {
  load(): Promise<QueueLoad>;
}
