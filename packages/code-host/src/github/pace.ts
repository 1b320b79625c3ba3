/** How often the host is called, and how patiently. Tests shorten it. */
export interface Pace {
  /** Between two writes with one token. */
  readonly writeGapMs: number;
  /** Between two writes that send notices to people. */
  readonly noticeGapMs: number;
  /** Before the first repetition of a read that failed; the second waits four times as long. */
  readonly repeatAfterMs: number;
  /** The longest wait that the host may ask for and that is waited for inside the call. */
  readonly longestWaitMs: number;
  /** One second of such a wait. */
  readonly secondMs: number;
}

export const politePace: Pace = {
  writeGapMs: 1_000, // what the provider's guide asks for
  noticeGapMs: 3_000, // what its own client keeps, below 20 a minute
  repeatAfterMs: 500, // a load balancer that lost a server has another within that time
  longestWaitMs: 5_000, // a person may be waiting for the answer; a job is better put off than held
  secondMs: 1_000,
};

export interface HostTimeouts {
  /** One request, with its answer. */
  readonly requestMs: number;
  /** One call of the port: its requests, their repetitions and the waits between them. */
  readonly callMs: number;
}

export const usualTimeouts: HostTimeouts = {
  requestMs: 15_000, // the provider itself ends a request after ten seconds
  callMs: 60_000, // a long conversation takes some twenty requests; a stage's own limit is far higher
};
