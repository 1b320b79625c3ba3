/** The rate of requests to the host, and the backoff. Tests shorten it. */
export interface Pace {
  /** Between two writes with one token. */
  readonly writeGapMs: number;
  /** Between two writes that notify users. */
  readonly noticeGapMs: number;
  /** Between two searches. */
  readonly searchGapMs: number;
  /** The backoff before the first retry of a failed read; the second is four times as long. */
  readonly retryAfterMs: number;
  /** The longest wait requested by the host that a call accepts. */
  readonly longestWaitMs: number;
  /** One second of such a wait. */
  readonly secondMs: number;
}

export const defaultPace: Pace = {
  writeGapMs: 1_000, // the provider's guideline
  noticeGapMs: 3_000, // as the provider's client does, under 20 a minute
  searchGapMs: 2_000, // the host allows 30 a minute
  retryAfterMs: 500, // a load balancer replaces a lost server within that time
  longestWaitMs: 5_000, // a user may be waiting for the response; a job is better postponed than blocked
  secondMs: 1_000,
};

export interface HostTimeouts {
  /** One request with its response. */
  readonly requestMs: number;
  /** One call of the port: its requests, their retries and the waits between them. */
  readonly callMs: number;
  /** The log of one job. Within a call, several are read at the same time. */
  readonly logMs: number;
}

export const defaultTimeouts: HostTimeouts = {
  requestMs: 15_000, // the provider ends a request after ten seconds
  callMs: 60_000, // a long conversation takes about twenty requests; the timeout of a stage is much longer
  logMs: 30_000, // a hundred megabytes at 30 Mbit/s
};
