/** The load of the queue, over all processes that share the database. */
export interface QueueLoad {
  /** Issues that are queued for a slot. */
  readonly queued: number;
  /** Issues that hold a slot. */
  readonly active: number;
  /** Issues that have held a slot at a gate for longer than `GATE_REMINDER_MS`. */
  readonly longAtGate: number;
  /** The longest time in the queue; 0 when it is empty. */
  readonly oldestQueuedMs: number;
}

/** Reads the load of the queue. */
export interface QueueStats {
  load(): Promise<QueueLoad>;
}
