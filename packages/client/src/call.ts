/** Options of each call. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of the answer in milliseconds, instead of the client's own. */
  readonly timeoutMs?: number | undefined;
}

/** Reads. */
export interface Query<Input, Output> {
  query(input: Input, options?: CallOptions): Promise<Output>;
}

/** Options of a change. */
export interface MutationOptions extends CallOptions {
  /**
   * 1 to 255 printable ASCII characters. Calls with the same key and input create one issue or repository: a call that is
   * repeated because its answer was lost gets the first answer. Other procedures ignore it.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Changes. */
export interface Mutation<Input, Output> {
  mutate(input: Input, options?: MutationOptions): Promise<Output>;
}

/** Follows events over Server-Sent Events. After a lost connection it resumes after the last event received. */
export interface Subscription<Input, Event> {
  subscribe(input: Input, listener: StreamListener<Event>): { unsubscribe(): void };
}

/** `lost` until the stream has reconnected, which it does by itself. */
export type Connection = 'connecting' | 'open' | 'lost';

export interface StreamListener<Event> {
  /** Live text has no `id`, because it cannot be resumed. */
  onData(message: { readonly id?: string; readonly data: Event }): void;
  /** The stream has failed for good: the server refused it, or the answer is not from a Sluice server. */
  onError?(error: unknown): void;
  /** The stream has ended: there are no more events. */
  onComplete?(): void;
  onConnection?(state: Connection): void;
}
